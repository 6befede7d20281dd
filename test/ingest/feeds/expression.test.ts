import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { EngineError } from '../../../engine/index.ts'
import { checkExpression } from '../../../ingest/feeds/expression.ts'

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()
// What the database of a refresh may have of its own.
await connection.run(`CREATE TEMP MACRO words(in_text) AS getvariable('file')`)
await connection.run(`CREATE TEMP MACRO upper(in_text) AS getvariable('file')`)
await connection.run(`CREATE TYPE mood AS ENUM ('ok')`)

afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

const where = 'feed.json: columns.price'
const check = (sql: string, columns?: readonly string[]) =>
  checkExpression(connection, sql, { where, ...(columns ? { columns } : {}) })

const messageOf = async (sql: string, columns?: readonly string[]): Promise<string> => {
  const failure = await check(sql, columns).then(
    (columns) => new Error(`accepted, with ${columns.join(', ') || 'no column'}`),
    (cause: Error) => cause,
  )
  if (failure instanceof EngineError) expect(failure).toMatchObject({ code: 'INVALID_PARAMS', details: { where, sql } })
  return failure.message
}

const DEEP = 150

describe('an expression is accepted', () => {
  test.each<[sql: string, ...columns: string[]]>([
    ['price + price_decrease', 'price', 'price_decrease'],
    ['Price + PRICE', 'Price'],
    ['"Regular Price"::DECIMAL(9, 2)', 'Regular Price'],
    ["TRY_CAST(replace(prix, ',', '.') AS DECIMAL(9, 2))", 'prix'],
    ["CASE WHEN promo > 0 THEN promo ELSE regular END || ' CAD'", 'promo', 'regular'],
    ['CASE stock WHEN 1 THEN true END', 'stock'],
    ['if(a > 1, b, c)', 'a', 'b', 'c'],
    ["coalesce(nullif(a, ''), ifnull(b, c))", 'a', 'b', 'c'],
    ['price BETWEEN 1 AND 2', 'price'],
    ["state IN ('CA', 'NY') AND zip NOT IN ('1')", 'state', 'zip'],
    ['a IS NULL OR b IS NOT NULL OR c IS NOT DISTINCT FROM d', 'a', 'b', 'c', 'd'],
    ["name LIKE 'x%' OR name ILIKE 'y' OR name ~ 'z' OR name SIMILAR TO 'w'", 'name'],
    ["split_part(price, ' ', 1)", 'price'],
    ["regexp_extract(size, '([0-9.]+) ?(ml|L)', 1)", 'size'],
    ["strptime(day || ' ' || hour, '%d/%m/%Y %H')", 'day', 'hour'],
    ["make_timestamp(epoch * 1000000) AT TIME ZONE 'America/Toronto'", 'epoch'],
    ['day + INTERVAL 1 DAY', 'day'],
    ['extract(year FROM day)', 'day'],
    ['age(day, other)', 'day', 'other'],
    ["attributes->>'$.color'", 'attributes'],
    ["attributes::JSON->'$.color'", 'attributes'],
    ['offers[1].price', 'offers'],
    ["offers[1]['price'] + offer.price", 'offers', 'offer'],
    ['codes[:2]', 'codes'],
    ["{'a': price}.a + [1, 2][1] + ARRAY[3][1]", 'price'],
    ['list_transform(codes, lambda code: trim(code) || suffix)', 'codes', 'suffix'],
    ['list_filter(codes, code -> length(code) > 8)', 'codes'],
    ['list_reduce(codes, (a, b) -> a + b)', 'codes'],
    ['[code * 2 FOR code IN codes IF code > least]', 'codes', 'least'],
    ["list_aggregate(prices, 'min')", 'prices'],
    ['list_sum(prices) / list_count(prices)', 'prices'],
    ['array_to_string(list_append(parts, last), $$ > $$)', 'parts', 'last'],
    ['json(attributes)', 'attributes'],
    ['(price).round(2)', 'price'],
    ['main.round(price, 2)', 'price'],
    ["'1) FROM read_text(''/etc/passwd'') --'"],
    ["'a; b /* c'"],
    ['"a--b" + "c;d"', 'a--b', 'c;d'],
    ["e'it\\'s -- fine'"],
    ['prix_été * "価格"', 'prix_été', '価格'],
    ['price\n+\n1', 'price'],
    ['true'],
    ['(a, b)', 'a', 'b'],
    ['NULL'],
    ['(((price)))', 'price'],
    [`${'('.repeat(DEEP)}price${')'.repeat(DEEP)}`, 'price'],
    [`${'abs('.repeat(DEEP)}price${')'.repeat(DEEP)}`, 'price'],
  ])('%s', async (sql, ...columns) => {
    expect(await check(sql)).toEqual(columns)
  })

  test('and runs in parentheses next to others', async () => {
    const sql = "CASE WHEN price > 1 THEN '$' || price END"
    await check(sql)
    const answer = await connection.runAndReadAll(`SELECT (${sql}) AS a, (${sql}) AS b FROM (SELECT 2 AS price)`)
    expect(answer.getRows()).toEqual([['$2', '$2']])
  })

  test('with the name of a column that is also a word of the session', async () => {
    expect(await check('user || current_date', ['USER', 'current_date'])).toEqual(['user', 'current_date'])
  })
})

describe('an expression is refused', () => {
  test.each<[sql: string, message: string]>([
    ['', 'the expression is empty'],
    ['   ', 'the expression is empty'],
    ["1) FROM read_text('/etc/passwd') --", 'the expression contains a comment'],
    ["1) FROM read_text('/etc/passwd'", 'the expression cannot be parsed: syntax error at or near ")"'],
    ['a) + (b', 'the expression cannot be parsed: syntax error at or near ")"'],
    ['price -- why', 'the expression contains a comment'],
    ['/* why */ price', 'the expression contains a comment'],
    ['price;', 'the expression is not one expression; remove what surrounds it'],
    ['1; DROP TABLE t', 'the expression contains another statement'],
    ['1; SELECT 2', 'the expression contains a semicolon'],
    ['price AS p', 'the expression gives its value the alias "p"'],
    ['price p', 'the expression gives its value the alias "p"'],
    ['p: price', 'the expression gives its value the alias "p"'],
    ['a, b', 'the expression contains 2 expressions; expected one'],
    ['price FROM prices', 'the expression contains a FROM clause'],
    ["content FROM read_text('/etc/passwd')", 'the expression contains a FROM clause'],
    ['price WHERE true', 'the expression contains a WHERE clause'],
    ['price LIMIT 1', 'the expression contains DISTINCT, ORDER BY or LIMIT'],
    ['DISTINCT price', 'the expression contains DISTINCT, ORDER BY or LIMIT'],
    ['ALL price', 'the expression is not one expression; remove what surrounds it'],
    ['price GROUP BY price', 'the expression contains a GROUP BY clause'],
    ['price QUALIFY true', 'the expression contains a QUALIFY clause'],
    ['price UNION SELECT 1', 'the expression contains a set operation or a clause'],
    ['price USING SAMPLE 1', 'the expression contains a sample clause'],
    ['price WINDOW w AS ()', 'the expression is not one expression; remove what surrounds it'],
    ['price\0, secret', 'the expression contains a NUL character'],
    ['price +', 'the expression cannot be parsed: syntax error at end of input'],
    ["'open", 'the expression cannot be parsed: unterminated quoted string at or near "\'open"'],
    ['(SELECT 1)', 'a subquery is not allowed'],
    ['EXISTS(SELECT 1)', 'a subquery is not allowed'],
    ['price IN (SELECT 1)', 'a subquery is not allowed'],
    ['price = ANY(prices)', 'a subquery is not allowed'],
    ['ARRAY(SELECT 1)', 'a subquery is not allowed'],
    ['list_filter(a, lambda x: x > (SELECT 1))', 'a subquery is not allowed'],
    ["(FROM read_csv('x'))", 'a subquery is not allowed'],
    ['(VALUES (1))', 'a subquery is not allowed'],
    ['*', '* and COLUMNS() are not allowed; name each column'],
    ['t.*', '* and COLUMNS() are not allowed; name each column'],
    ['COLUMNS(*)', '* and COLUMNS() are not allowed; name each column'],
    ["COLUMNS('p.*')", '* and COLUMNS() are not allowed; name each column'],
    ['greatest(*COLUMNS(*))', '* and COLUMNS() are not allowed; name each column'],
    ['$1', 'a parameter ($1, ?) is not allowed'],
    ['?', 'a parameter ($1, ?) is not allowed'],
    ['$price', 'a parameter ($1, ?) is not allowed'],
    ['#1', 'a column number is not allowed; name the column'],
    ['default', 'DEFAULT is not allowed'],
    ['name COLLATE nocase', 'COLLATE is not allowed'],
    ['row_number() OVER ()', 'a window function reads several rows'],
    ['sum(price) OVER (ORDER BY day)', 'a window function reads several rows'],
    ['sum(price)', 'sum() is an aggregate function, which reads several rows'],
    ['COUNT(*)', 'count_star() is an aggregate function, which reads several rows'],
    ['grouping(price)', 'grouping() is an aggregate function, which reads several rows'],
    ['price + max(price)', 'max() is an aggregate function, which reads several rows'],
    ['upper(DISTINCT price)', 'DISTINCT is only for aggregate functions, which read several rows'],
    ['lower(a) FILTER (WHERE b)', 'FILTER is only for aggregate functions, which read several rows'],
    ['lower(a ORDER BY a)', 'ORDER BY is only for aggregate functions, which read several rows'],
    ['geomean(price)', 'geomean() is not allowed: avg() is an aggregate function, which reads several rows'],
    [
      'geometric_mean(price)',
      'geometric_mean() is not allowed: avg() is an aggregate function, which reads several rows',
    ],
    ['unnest(prices)', 'unnest() returns several rows'],
    ['generate_subscripts(a, 1)', 'generate_subscripts() is not allowed: unnest() returns several rows'],
    ["read_text('/etc/passwd')", 'read_text() reads files'],
    ["read_csv('x.csv')", 'read_csv() reads files'],
    ["read_blob('x')", 'read_blob() reads files'],
    ["glob('*')", 'glob() reads files'],
    ["parquet_metadata('x.parquet')", 'parquet_metadata() reads files'],
    ["sniff_csv('x.csv')", 'sniff_csv() reads files'],
    ['duckdb_settings()', 'duckdb_settings() is a table function'],
    ["query('SELECT 1')", 'query() is a table function'],
    ['pragma_version()', 'pragma_version() is a table function'],
    ['random()', 'random() has side effects or is not deterministic'],
    ['UUID()', 'uuid() has side effects or is not deterministic'],
    ["nextval('s')", 'nextval() has side effects or is not deterministic'],
    ["error('x')", 'error() has side effects or is not deterministic'],
    ["write_log('x')", 'write_log() is internal to DuckDB'],
    ['pg_sleep(9)', 'pg_sleep() is not allowed: sleep_ms() has side effects or is not deterministic'],
    ['now()', 'now() depends on the session or the clock'],
    ['today()', 'today() depends on the session or the clock'],
    ['ago(INTERVAL 1 DAY)', 'ago() is not allowed: current_timestamp depends on the session or the clock'],
    ['age(day)', 'age() of one argument depends on the clock'],
    ['current_user', 'current_user depends on the session or the clock'],
    ['CURRENT_DATE', 'CURRENT_DATE depends on the session or the clock'],
    ['localtimestamp', 'localtimestamp depends on the session or the clock'],
    ['current_schema()', 'current_schema() depends on the session or the clock'],
    ['user()', 'user() depends on the session or the clock'],
    ['current_query()', 'current_query() has side effects or is not deterministic'],
    ['current_schemas(true)', 'current_schemas() depends on the session or the clock'],
    ["current_setting('home_directory')", 'current_setting() depends on the session or the clock'],
    ["getvariable('file')", 'getvariable() depends on the session or the clock'],
    ["getenv('HOME')", 'there is no scalar function getenv()'],
    ["get_block_size('x')", 'get_block_size() is not allowed: a subquery is not allowed'],
    ['pg_get_viewdef(1)', 'pg_get_viewdef() is not allowed: a subquery is not allowed'],
    ["json_serialize_sql('SELECT 1')", 'json_serialize_sql() is internal to DuckDB'],
    ['__internal_compress_integral_utinyint(a, 1)', '__internal_compress_integral_utinyint() is internal to DuckDB'],
    ['words(price)', 'words() is a macro of this connection'],
    ['upper(price)', 'upper() is a macro of this connection'],
    ['rond(price, 2)', 'there is no scalar function rond() (did you mean round?)'],
    ["http_get('https://example.com')", 'there is no scalar function http_get()'],
    ['ST_Point(1, 2)', 'there is no scalar function st_point()'],
    ['name.lower()', 'name.lower() names a schema; if name is a column, write lower(name, ...)'],
    ['other.main.lower(name)', 'main.lower() names a schema; if main is a column, write lower(main, ...)'],
    ['price::money', 'there is no type money'],
    ['price::intager', 'there is no type intager (did you mean integer?)'],
    ['price::mood', 'there is no type mood'],
    ["INET '1.2.3.4'", 'there is no type INET (did you mean int?)'],
    ['prices::inet[]', 'there is no type inet (did you mean int?)'],
    ['price::other.money', 'the type other.money names a schema'],
    ['lambda x: x', 'a lambda is only allowed as an argument of a list function such as list_transform()'],
    ['lower(lambda x: x)', 'a lambda is only allowed as an argument of a list function such as list_transform()'],
    ['list_transform(a, lambda x: random())', 'random() has side effects or is not deterministic'],
    ['list_transform(a, (x.y, z) -> z)', 'the parameters of a lambda must be plain names'],
    [`${'abs('.repeat(250)}a${')'.repeat(250)}`, 'it is nested more than 200 levels deep'],
    [`${'- '.repeat(2000)}a`, 'the expression is nested too deeply'],
    [`${'('.repeat(4000)}a`, 'the expression cannot be parsed: syntax error at end of input'],
    [`a${' + a'.repeat(3000)}`, 'the expression is longer than 10000 characters'],
  ])('%s', async (sql, message) => {
    const full = await messageOf(sql)
    expect(full.slice(0, `${where}: ${message}`.length)).toBe(`${where}: ${message}`)
    expect(full).toMatch(
      /\. An expression may use columns, constants, operators, casts, CASE and scalar functions that depend only on their arguments\.$/,
    )
  })

  test('with an unknown column, naming the nearest one', async () => {
    const columns = ['Regular Price', 'SKU']
    expect(await check('"regular price" * 2', columns)).toEqual(['regular price'])
    expect(await messageOf('regular_prize', columns)).toContain(
      'there is no column regular_prize (did you mean Regular Price?)',
    )
    expect(await messageOf('weight', columns)).toContain('there is no column weight.')
    expect(await messageOf('list_transform(a, lambda x: y)', ['a'])).toContain('there is no column y.')
  })
})

test('an expression with a number that is too large for a double is accepted', async () => {
  expect(await check('1e400 + price')).toEqual(['price'])
})
