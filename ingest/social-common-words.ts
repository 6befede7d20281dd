/** Words and names that are brands too. */
const COMMON: ReadonlySet<string> = new Set(
  `all always angel apple arm axe bang baby bar beauty best better big black blue body boss bounty brother bull canada
  care castle cat charm chase cherry clean clear coach comet cold color comfort core corona cover crest crown cup dawn
  day daily delta dial dove dream dune easy edge element energy epic era essence essential essentials eternal ever
  every extra eye fab face fair family fancy fast finish fire first fit flash focus food force ford fox free fresh
  fuel full fun fusion future gain game gap garden general giant gift gillian glad global gold golden good great green
  guess guide hair happy hawk heart heat hero home honest honor hope house hunter ice icon idea imagine impact inspire
  jack jaguar joy jumbo just kate keen kind king kiss lady life lift light like lily line lion live lost love lucky
  lush magic master match max maybe metro mind mini miracle mission modern monster moon mother music naked native
  natural nature new nice night nova now nuts oasis ocean old one only open opera orange original outside own pampers
  paper paradise park party patriot peace perfect philosophy pink planet play pledge polo power premier premium
  prestige prime prince princess pro pure quest quick radiant rainbow raw ray real rebel red rescue rhythm rich ring
  river robin rock rose royal safe sage salt scope scout secret select sense shadow shark sharp shell shine shock
  signature silk silver simple simply sky smart smile smooth snow soft soul spark special speed spirit splash sport
  sports spring square stage star step storm story strong style sugar summer sun sunny super supreme surf sweet
  swift talk target team tide time tiny titan today top total touch tower toy trend tribe true trust turbo twist ultra
  union unique unity urban value vanish venus vice victor victory video view vintage viper vision visa vital
  vogue volt wave way web well west white whole wild will wind wing wise wish wolf women wonder wood work world young
  zero zone`.split(/\s+/),
)

/** Whether a word means something else oftener than the brand of that name. */
export const isCommonWord = (word: string): boolean => COMMON.has(word)
