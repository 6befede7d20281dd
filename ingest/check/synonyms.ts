import type { Column } from '../feeds/columns.ts'
import type { Synonyms } from './names.ts'

const list = (names: string): string[] => names.split(',').map((name) => name.trim())

const names = (common: string, ambiguous?: string, not?: string): Synonyms => ({
  common: list(common),
  ...(ambiguous ? { ambiguous: list(ambiguous) } : {}),
  ...(not ? { not: list(not) } : {}),
})

const KEYS = 'id, code, key, url, image, img, count'

/** Column names used by schema.org, Google Merchant, shop systems, scrapers and open data, in English and French. */
export const SYNONYMS: Readonly<Partial<Record<Column, Synonyms>>> = {
  platform: names(
    'retailer, retailer name, store, store name, shop, shop name, merchant, merchant name, chain, banner, ' +
      'supermarket, marketplace, grocer, enseigne, banniere, magasin, marchand, boutique, detaillant, commerce, epicerie',
    'vendor, source, site, website, seller, company, market, network, domain, store code, store id, merchant id, shop id',
    'id, code, number, address, city, url, type, count, state, zip, region, keeping, rating, link, sku',
  ),
  country: names('country, country code, market country, pays', 'market, locale, pays code', 'origin, made, origine'),
  listing_id: names(
    'listing id, product id, item id, sku, sku id, asin, tcin, offer id, article id, item number, product number, ' +
      'product code, item code, article number, article code, product key, variant id, sku code, prod id, pid, ' +
      'id produit, code produit, numero article, no article, numero produit, identifiant, code article, ugs, style id',
    'id, code, reference, ref, uid, uuid, slug, handle, product url slug, key, product, item, identifier',
    'store, location, category, merchant, vendor, seller, brand, parent, group, cluster, user, order, transaction, ' +
      'basket, household, session, image, type, class, status, manufacturer, department, page, row, country, shop, ' +
      'postal, zip, currency, color, size, unit, inventory, restriction, sweetness, promo, model, discount, name, price',
  ),
  observed_at: names(
    'observed at, timestamp, date time, datetime, date, time, now time, scraped at, scrape date, scrape time, ' +
      'scraped date, scrape timestamp, scraping date, crawled at, crawl date, crawl time, crawl timestamp, collected at, ' +
      'collection date, fetched at, fetch date, retrieved, date retrieved, retrieved at, captured at, snapshot date, ' +
      'snapshot, extracted at, extraction date, as of, as of date, price date, checked at, recorded at, observation date, ' +
      'observation time, transaction timestamp, date releve, date collecte, date extraction, horodatage, date prix, ' +
      'date observation, price valid from, seen at, query time, run date, load date, pull date, date pulled',
    'month, day, period, week, year month, inserted at, created at, updated at, last updated, update time, modified, ' +
      'last seen at, effective date, valid from, start date, report date, jour, mois, annee mois, date maj, ' +
      'mise a jour, transaction date, sale date, dates seen, date seen, date updated, first seen, stamp, ts',
    'release, expiry, expiration, birth, launch, until, end, to, published, best before, delivery, zone, duration, ' +
      'review, manufacture, due, upload',
  ),
  scraped_at: names(
    'scraped at, scrape date, scrape time, crawled at, crawl date, fetched at, retrieved at, collected at',
  ),
  price: names(
    'price, current price, now price, price now, sale price, selling price, offer price, offers price, final price, ' +
      'actual price, retail price, price current, price value, price amount, promo price, special price, unit retail, ' +
      'discounted price, discount price, shelf price, item price, price usd, price cad, usd price, cad price, ' +
      'price in cents, price cents, low price, price paid, purchase price, online price, in store price, member price, ' +
      'prix, prix actuel, prix courant, prix vente, prix de vente, prix promo, prix solde, prix reduit, prix unite vente, ' +
      'tarif, montant, prix client, prix ttc, prix detail',
    'regular price, list price, base price, amount, cost, original price, msrp, price max, price min, high price, ' +
      'prices amount max, prices amount min, prix regulier, cout, value, usd, cad, prix courant regulier, price regular',
    'unit price, per, old, was, shipping, delivery, before, previous, compare, change, diff, difference, decrease, ' +
      'increase, percent, pct, range, avg, average, currency, type, id, code, history, record, comparison, kg, lb, oz, ' +
      'increment, off, saving, discount amount, deposit, tax, status, updated, date, format, valid, level, tier, barre, ' +
      'ancien, unitaire, livraison, mesure, unit of measure, ratio, drop, measure, count, quantity, sale value, total, revenue, ' +
      'extended, turnover, subtotal, net sale, gross sale, year ago, prior',
  ),
  list_price: names(
    'list price, old price, was price, price was, original price, regular price, msrp, rrp, mrp, strikethrough price, ' +
      'strike price, compare at price, price before, previous price, before price, full price, normal price, base price, ' +
      'market price, price regular, reference price, crossed price, non sale price, suggested retail price, high price, ' +
      'price old, price original, prices amount max, prix regulier, prix courant regulier, ancien prix, prix barre, ' +
      'prix avant, prix initial, prix origine, prix suggere, prix conseille, prix habituel, prix ordinaire',
    'highest price, retail price, initial price',
    'unit, per, change, currency, type, date, discount, percent, quantity, kg, unitaire, sale, deal, promo, special, ' +
      'member, club, final, low, lowest, min, solde, reduit, shipping, best',
  ),
  currency: names(
    'currency, currency code, price currency, offers price currency, prices currency, devise, monnaie, code devise',
  ),
  promo_flag: names(
    'promo flag, on sale, is sale, is on sale, promo, is promo, promotion, on promotion, is promotion, discounted, ' +
      'is discounted, on promo, prices is sale, sale flag, en promotion, promo actif, en solde, solde, est en solde, rabais',
    'sale, special, deal, offer, has discount, rollback',
    'price, text, start, end, date, description, amount, prix, percent, id, name',
  ),
  availability: names(
    'availability, in stock, stock, stock status, stock level, availability status, offers availability, available, ' +
      'available unit, inventory level, inventory, quantity available, is available, available quantity, stock quantity, ' +
      'stock count, is in stock, qty available, units in stock, on hand, disponibilite, disponible, en stock, ' +
      'quantite en stock, prices availability, statut stock, inventory qty, inventory quantity, inventory count',
    'status, unavailable, sold out, out of stock, is sold out, is out of stock, indisponible, rupture, en rupture',
    'code, date, keeping, price, unit size, symbol',
  ),
  seller_id: names(
    'seller id, seller, seller name, sold by, third party seller, vendeur, vendu par',
    'vendor id, vendor',
  ),
  star_rating: names(
    'star rating, rating, star, rating value, average rating, avg rating, rating average, review average, review rating, ' +
      'customer rating, consumer rating, user rating, aggregate rating rating value, average review, product rating, ' +
      'note moyenne, evaluation, cote, etoile',
    'score, note, review score',
    'count, number, total, num, nb, seller, store, age, energy',
  ),
  review_count: names(
    'review count, review, num review, number of review, rating count, vote, number of rating, num rating, total review, ' +
      'ratings total, review total, customer review count, aggregate rating review count, nombre avis, nb avis, avis, ' +
      'nombre evaluation, vote count, rating number, no of rating',
    undefined,
    'average, score, text, date, star, title, url, average rating',
  ),
  product_name: names(
    'product name, title, product title, item title, item name, product, long name, display name, short name, ' +
      'product long name, name, listing title, item, nom, nom produit, nom du produit, produit, libelle, designation, ' +
      'titre, intitule, libelle produit, nom article, article, product display name, description produit',
    'description, product description, item description, label, short description, headline, product desc, item desc',
    'brand, store, shop, vendor, merchant, category, class, seller, channel, sanitized, prefix, suffix, normalized, image, ' +
      'file, user, country, region, cluster, color, manufacturer, department, retailer, type, status, level, promo, ' +
      `subcategory, marque, categorie, price, size, host, page, ${KEYS}`,
  ),
  brand: names(
    'brand, brand name, marque, brand title, manufacturer brand, nom marque, nom de marque',
    'manufacturer, maker, fabricant, mfr, mfg, manufacturer name, producer, fournisseur, vendor',
    `logo, number, part, ${KEYS}`,
  ),
  gtin: names(
    'gtin, upc, ean, barcode, bar code, gtin8, gtin12, gtin13, gtin14, ean13, ean8, upca, upc code, ean code, upc12, ' +
      'universal product code, isbn, isbn13, code barre, codebarre, code a barre, cup, code cup, code ean, code upc, upcs',
    undefined,
    'type, url, image, price, group, cups',
  ),
  mpn: names(
    'mpn, manufacturer part number, part number, mfr part number, mfg part number, manufacturer number, ' +
      'manufacturer sku, numero piece, numero de piece, reference fabricant',
    'manufacturer id',
    'url',
  ),
  model: names(
    'model, model number, model no, modelno, model name, modele, numero modele, numero de modele',
    undefined,
    'year',
  ),
  item_group_id: names(
    'item group id, parent id, parent sku, group id, parent asin, product group id',
    'style id, variant group',
  ),
  is_bundle: names('is bundle, bundle'),
  multipack: names('multipack'),
  browse_ids: names('browse ids, browse node, browse node id, browse node ids'),
  category_path: names(
    'category path, breadcrumb, breadcrumbs, category, categories, product type, all category, category name, ' +
      'category label, product category, category tree, category hierarchy, taxonomy, full category, department, aisle, ' +
      'categorie, categorie produit, rayon, chemin categorie, fil ariane, famille, departement, allee, product category path',
    'section, class, subcategory, sub category, group, search term, query, keyword, subject, sous categorie, genre, ' +
      'commodity, shelf, collection, type, main category, commodity desc, sub commodity desc',
    `code, rating, rank, page, google, unit, pet, vehicle, ${KEYS}`,
  ),
  google_product_category: names('google product category, google category, google taxonomy'),
  gpc_code: names('gpc code, gpc, brick code, gpc brick, gpc category code'),
  condition: names('condition, item condition, product condition, offers item condition, etat', 'state', 'weather'),
  url: names(
    'url, link, product url, product link, item url, detail url, page url, product page, href, permalink, canonical url, ' +
      'web address, source url, lien, lien produit, url produit, hyperlien, product page url, listing url',
    'source, address',
    'image, img, thumbnail, photo, picture, logo, video, icon, media, avatar, key, slug, text',
  ),
  size_value: names(
    'size value, size, package size, net weight, net content, content, product size, item size, volume, weight, units, ' +
      'size text, pack weight, net quantity, package quantity, sales size, customer facing size, ' +
      'litre per container, volume ml, grams, size of product, unit volume, contenance, poids, poids net, taille, grandeur, ' +
      'volume net, quantite nette, format emballage, unit content, unit quantity',
    'format, unit size, quantity, amount, quantite, dimension, measure, net',
    'price, unit of measure, uom, shipping, ship, total, sold, stock, prix, min, max, font, screen, available, order, type',
  ),
  size_unit: names(
    'size unit, unit, uom, unit of measure, unit of measurement, measurement unit, sales uom description, uom description, ' +
      'price unit, comparison price unit, size uom, weight unit, volume unit, unite, unite mesure, unite de mesure, ' +
      'sell unit, unit type',
    'standard unit',
    'value, cost, retail, per, number, sold',
  ),
  pack_count: names(
    'pack count, pack size, unit per pack, pack quantity, number of unit, count per pack, container per sell unit, ' +
      'unit per case, item per pack, pieces per pack, package count, case pack, case size, unit size, nombre unite, ' +
      'nombre par paquet, unites par emballage, unit count, pack qty',
    'pack, count, pack of',
    'price, review, rating, store, view',
  ),
  seller_type: names('seller type'),
  unit_price: names(
    'unit price, price per unit, unit cost, price per, prix unitaire, prix par unite, comparison price, ppu',
  ),
  unit_price_measure: names('unit price measure, unit pricing measure, unit price unit, standard unit'),
  shipping_price: names(
    'shipping price, shipping, shipping cost, delivery price, delivery fee, frais livraison',
    undefined,
    'weight',
  ),
  promo_text: names(
    'promo text, promotion text, promo description, offer text, promotion description, deal text, badge, texte promo',
  ),
  first_seen_at: names('first seen at, first seen, first seen date, date first available, date added'),
  last_seen_at: names('last seen at, last seen, last seen date'),
  delisted_at: names('delisted at, delisted, discontinued at, removed at'),
  post_id: names(
    'post id, video id, tweet id, aweme id, media id, status id, clip id, reel id, shortcode, content id, youtube id',
    'id, item id, uid, key',
    'channel, user, author, category, comment, music, sound, playlist, account, creator, tag',
  ),
  posted_at: names(
    'posted at, publish time, published at, publish date, published, create time, created at, post date, posted, ' +
      'upload date, uploaded at, date posted, creation time, date publication',
    'date, timestamp, time',
  ),
  collected_at: names(
    'collected at, trending date, scraped at, scrape date, crawled at, fetched at, snapshot date, retrieved at, date, ' +
      'timestamp, collection date, observed at, date collecte, collection time',
    'day, time, datetime, updated at, as of',
    'publish, published, posted, create, upload, created',
  ),
  category_root: names(
    'category root, category, category id, category name, video category, topic, vertical, categorie',
    'section, genre',
  ),
  theme: names('theme, challenge', 'topic'),
  views: names(
    'view, view count, play count, play, video view, view total, impression, vue, nombre vue',
    undefined,
    'rate',
  ),
  likes: names(
    'like, like count, digg count, favorite count, heart, heart count, thumb up, reaction, mention j aime',
    undefined,
    'dislike',
  ),
  comments: names('comment, comment count, comment total, reply count, reply, commentaire', undefined, 'disabled'),
  shares: names('share, share count, retweet count, repost count, retweet, repost, partage'),
  is_ad: names('is ad, ad, sponsored, is sponsored, is advertisement, paid partnership, is promoted, commandite'),
  is_noise: names('is noise'),
}
