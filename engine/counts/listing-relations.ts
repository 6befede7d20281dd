/** The relations of single listings over their days and months, and of the products that retailers share: claims, changes, stock, sizes. */
export const listingRelations = {
  /** The listing-months of a price index, with the months in which their listing is priced. */
  index_price: {
    /** The month, from 0. */
    place: 'whole',
    /** A bit for each of the first 25 months, for each later one, and for each of the last 25. */
    mask: 'whole',
    late_mask: 'whole',
    window_mask: 'whole',
    is_in_window: 'flag',
    /** Within the fence around the listing's own median. */
    is_plausible: 'flag',
    /** The retailer, brand or category that contributes. */
    group_id: 'optional',
    /** The log of the price relative to that median. */
    log: 'long',
    /** The bucket of the change from the month before, where both months are within the fence. */
    change_bucket: 'optional',
  },
  /** Price relatives of listings from a calendar month to the next, of posted and of regular prices. */
  price_change: {
    /** The first day of the later month, in days since 1970. */
    period: 'whole',
    category_id: 'whole',
    is_regular: 'flag',
    is_changed: 'flag',
    is_rise: 'flag',
    /** The absolute log of the relative in basis points; at least one if the price changed. */
    size: 'whole',
  },
  /** The listings of a country that were observed in the days [since, before). */
  covered_listing: { retailer_id: 'whole', category_id: 'whole' },
  /** Current new listings with whether their product is known, and whether another retailer sells it, too. */
  new_listing: {
    retailer_id: 'whole',
    is_identified: 'flag',
    is_joined: 'flag',
    /** The same by likely products. */
    is_likely_joined: 'flag',
    observed_at: 'time',
  },
  /** Pairs of retailers that sell a product new, each retailer with itself, too. */
  product_pair: {
    /** The product is a likely one, or an entity that is in none; else an entity. */
    is_likely: 'flag',
    retailer_id: 'whole',
    other_id: 'whole',
    /** How many retailers sell it. */
    seller_count: 'whole',
    is_equal: 'flag',
    /** The log of the retailer's price less the mean of all sellers, and its square in units of SQUARE_UNIT; of a retailer with itself. */
    deviation: 'long',
    square: 'long',
  },
  /** New listings that were observed in the days [from, to). */
  sold_listing: {
    listing_id: 'whole',
    retailer_id: 'whole',
    entity_uid: 'optional_text',
    is_identified: 'flag',
    /** Another retailer sells the product, too. */
    is_joined: 'flag',
    /** It represents its retailer's listings of the product. */
    is_chosen: 'flag',
  },
  /** Price changes of a product at a retailer, for each other one of it that was watched after them. */
  price_lead: {
    leader_id: 'whole',
    follower_id: 'whole',
    is_rise: 'flag',
    /** The follower's next change is in time and in the same direction, or in the other. */
    is_followed: 'flag',
    is_opposed: 'flag',
  },
  /** Changes of size with the prices at both sizes. Days are counted from 1970-01-01; sizes are in mg, µl or pieces. */
  size_change: {
    retailer_id: 'whole',
    product_uid: 'text',
    entity_uid: 'optional_text',
    product_name: 'optional_text',
    brand: 'optional_text',
    day: 'whole',
    /** When the size before was last seen. */
    previous_day: 'whole',
    size: 'real',
    previous_size: 'real',
    /** mass, volume or count. */
    dimension: 'text',
    price: 'optional_number',
    previous_price: 'optional_number',
    is_shrunk: 'flag',
    /** The log of the size over the one before. */
    size_log: 'long',
    /** How the price and the price per unit move: 0 down, 1 not at all, 2 up. */
    price_move: 'optional',
    unit_move: 'optional',
  },
  /** New listings with a size that are priced in the first and the last of some months, within the fence. */
  size_matched: {
    retailer_id: 'whole',
    is_resized: 'flag',
    price_log: 'long',
    /** The log of the size before over the size after. */
    size_log: 'long',
  },
  /** Listings that were priced in the last full month of a scope or in the one before. */
  listing_turnover: {
    retailer_id: 'whole',
    category_id: 'whole',
    is_priced: 'flag',
    was_priced: 'flag',
    /** It was priced in an earlier month. */
    was_earlier: 'flag',
  },
  /** Listing-days by ISO week. */
  promo_day: {
    retailer_id: 'whole',
    /** The year that the week belongs to. */
    iso_year: 'whole',
    iso_week: 'whole',
    is_promoted: 'flag',
    /** The depth of a promotion in hundredths of a percent; unknown without a plausible list price. */
    depth: 'optional',
  },
  /** Changes of posted prices with the listings that they are of. Days are counted from 1970-01-01. */
  price_step: {
    retailer_id: 'whole',
    product_uid: 'text',
    entity_uid: 'optional_text',
    product_name: 'optional_text',
    brand: 'optional_text',
    day: 'whole',
    price: 'whole',
    /** When the price before was last seen. */
    previous_day: 'whole',
    previous_price: 'whole',
    is_rise: 'flag',
    /** The next change takes it back within a few days, or it takes back the one before. */
    is_flapping: 'flag',
  },
  /** One row if anything was observed: when the listings whose changes are queried first and last were. */
  step_span: { first_second: 'whole', last_second: 'whole' },
  /** Listing-days of which the retailer states the availability. */
  stock_day: { retailer_id: 'whole', brand_id: 'optional', is_out: 'flag' },
  /** Sequences of known days of a listing on which it is out of stock. */
  stock_episode: {
    retailer_id: 'whole',
    brand_id: 'optional',
    /** It was seen in stock before. */
    is_start_seen: 'flag',
    /** From the first day to the one on which it is back; unknown until then. */
    days: 'optional',
    is_higher: 'flag',
    is_lower: 'flag',
    /** The log of the price then over the price before, if plausible. */
    log: 'long',
  },
  /** List prices above the price, each with what the days before say of it. Days are counted from 1970-01-01. */
  price_claim: {
    listing_id: 'whole',
    retailer_id: 'whole',
    brand_id: 'optional',
    /** The first and the last day on which it was seen. */
    start: 'whole',
    last: 'whole',
    /** An observation without it precedes. */
    is_start_seen: 'flag',
    /** It is in the listing's newest observation. */
    is_newest: 'flag',
    price: 'whole',
    list_price: 'whole',
    /** The lowest price of the 30 days before, and how many of these and of 180 days are known, or cost the list price. */
    prior_low: 'optional',
    prior_covered: 'whole',
    test_covered: 'whole',
    test_at: 'whole',
    /** How far the price is below the list price, and the price over that lowest price, in units of DEPTH_UNIT. */
    claimed: 'whole',
    relative: 'optional',
  },
} as const
