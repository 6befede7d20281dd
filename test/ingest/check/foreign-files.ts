/** Files in the forms that other people's files have; none of them is a real one. */

const repeat = (count: number, row: (at: number) => string): string =>
  Array.from({ length: count }, (_, index) => row(index)).join('\n')

const cents = (at: number): string => (3 + ((at * 37) % 900) / 10 + 0.09).toFixed(2)

const checkDigit = (body: string): number => {
  const sum = [...body].reverse().reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10
}
const upc = (at: number): string => {
  const body = String(61_500_000_000 + at * 7_919).padStart(11, '0')
  return body + checkDigit(body)
}

/** Google Merchant: prices with their currency, a sale price where there is one. */
export const merchantFeed = `id\ttitle\tdescription\tlink\timage_link\tavailability\tprice\tsale_price\tgtin\tbrand\tmpn\tproduct_type\tcondition
${repeat(40, (at) => `SKU-${1000 + at}\tTrail Shoe ${at}\tA shoe for trails, number ${at}\thttps://shop.example.com/p/${at}\thttps://img.example.com/${at}.jpg\t${at % 5 ? 'in_stock' : 'out_of_stock'}\t${cents(at)} USD\t${at % 4 ? '' : '1.99 USD'}\t${upc(at)}\tBrand ${at % 7}\tMP-${at}\tApparel > Shoes > Trail\tnew`)}
`

/** schema.org: a document whose records nest offers, brands and ratings. */
export const schemaOrg = JSON.stringify({
  '@context': 'https://schema.org',
  dateModified: '2025-03-01',
  itemListElement: Array.from({ length: 30 }, (_, index) => ({
    '@type': 'Product',
    sku: `A${200 + index}`,
    name: `Kettle model ${index}`,
    brand: { '@type': 'Brand', name: `Maker ${index % 5}` },
    gtin13: `0${upc(index)}`,
    url: `https://www.example.ca/kettle-${index}`,
    offers: {
      '@type': 'Offer',
      price: cents(index),
      priceCurrency: 'CAD',
      availability: `https://schema.org/${index % 3 ? 'InStock' : 'OutOfStock'}`,
      itemCondition: 'https://schema.org/NewCondition',
    },
    aggregateRating: { ratingValue: (3 + (index % 20) / 10).toFixed(1), reviewCount: 5 + index },
  })),
})

const french = (at: number): string =>
  `${String(1 + (at % 28)).padStart(2, '0')}/03/2025;Épicerie Côté;P${4000 + (at % 20)};Café moulu ${at % 20};Brûlerie;Épicerie;Café;${at % 9 ? `${3 + (at % 7)},${10 + (at % 80)} $` : `1 299,00 $`};${at % 3 ? '' : at % 9 ? '12,99 $' : '1 399,00 $'};${at % 4 ? 'En stock' : 'Rupture de stock'}`

/** A French-Canadian list: semicolons, decimal commas, dollars after the number; to be written in Latin-1. */
export const frenchList = `Date relevé;Magasin;Code produit;Libellé;Marque;Rayon;Sous-catégorie;Prix;Prix régulier;Disponibilité
${repeat(60, french)}
`

/** A scrape of a large shop: breadcrumbs with bars, a zone after the time, a list price. */
export const shopScrape = `Uniq Id,Crawl Timestamp,Product Url,Product Name,Description,List Price,Sale Price,Brand,Item Number,Gtin,Package Size,Category,Postal Code,Available
${repeat(50, (at) => `${(at * 7919).toString(16).padStart(32, '0')},2024-01-${String(1 + (at % 28)).padStart(2, '0')} 01:13:17 +0000,https://www.shop.example.com/ip/${at},"Vitamin C, ${at} tablets","Takes ${at} tablets, a text that goes on for a good while",${(Number(cents(at)) + 2).toFixed(2)},${cents(at)},Brand ${at % 6},${55_000 + at},${upc(at)},${at + 10} Count,Health | Vitamins | Vitamin C,,TRUE`)}
`

/** JSON lines with whole cents and seconds since 1970. */
export const centLines = repeat(40, (at) =>
  JSON.stringify({
    store_name: "Sam's Corner Shop",
    itemId: 900 + (at % 10),
    itemTitle: `Pen ${at % 10}`,
    priceInCents: 199 + 10 * at,
    ts: 1_735_689_600 + 86_400 * at,
    inStock: at % 2 === 0,
  }),
)

/** Dates that may be day first or month first; a row number; an index column without a name. */
export const ambiguousDates = `,id,date,store,product,price
${repeat(80, (at) => `${at},${at + 1},${String(1 + (at % 4)).padStart(2, '0')}/${String(1 + (at % 3)).padStart(2, '0')}/2024,Corner Shop,Apples ${at % 5},${cents(at)}`)}
`

/** Whole prices in Parquet are cents; here they are given as texts of a column with that type. */
export const wholePrices = (from: number, step: number): string[] =>
  Array.from({ length: 30 }, (_, index) => String(from + step * index))

/** Posts of a video service. */
export const posts = `video_id,publishedAt,trending_date,title,channelTitle,categoryId,tags,view_count,likes,dislikes,comment_count
${repeat(30, (at) => `a${at}B-_x${at}9,2021-08-${String(1 + (at % 28)).padStart(2, '0')}T19:00:00Z,2021-08-12T00:00:00Z,"A video, number ${at}",Channel ${at % 4},${10 + (at % 3)},a|b,${1000 * at},${at},0,${at}`)}
`

/** Comma-separated prices of a foreign currency. */
export const foreignCurrency = `product_id,product_name,category,discounted_price,actual_price,rating,rating_count,scraped_on
${repeat(30, (at) => `B0${70_000 + at},Cable ${at},Computers|Accessories|Cables,"₹${399 + at}","₹1,${100 + at}",4.2,"24,${100 + at}",2024-05-0${1 + (at % 9)}`)}
`

/** A shop system's export: a vendor who is the brand, a price to compare with. */
export const shopExport = `Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price,Variant Compare At Price,Variant Barcode,Image Src,Status
${repeat(40, (at) => `tea-${at},Tea ${at},"<p>A fine tea, number ${at}, from the hills</p>",Leaf & Co,Tea,"green,loose",TRUE,Size,${at % 2 ? '50 g' : '100 g'},LC-${100 + at},${at},${cents(at)},${at % 4 ? '' : cents(at + 9)},${upc(at)},https://cdn.example.com/${at}.jpg,active`)}
`

/** An interface's answer: deals beside prices, a breadcrumb of records. */
export const dealRecords = JSON.stringify({
  total: 50,
  products: Array.from({ length: 50 }, (_, index) => ({
    id: `item_${index}`,
    name: `Tomatoes ${index}, 1 lb`,
    price: `$${cents(index)}`,
    dealPrice: index % 2 ? '$1.50' : '',
    lastUpdatedDate: '2024-07-18',
    store: index % 2 ? 'Corner Shop' : 'Épicerie Côté',
    categoryPath: [
      { id: 'a', name: 'Food' },
      { id: 'b', name: 'Vegetables' },
    ],
  })),
})
