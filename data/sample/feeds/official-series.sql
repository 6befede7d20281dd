-- Invented figures of an office that does not exist, released on the 12th of the next month; those of every fourth month are
-- revised a month later.
COPY (
  WITH series AS (
    SELECT * FROM (VALUES
      ('us', 'Coffee, ground roast (invented)', 'USD per lb', 7.1, 1), ('ca', 'Coffee, ground roast (invented)', 'CAD per 340 g', 6.4, 2)
    ) AS listed(country, title, unit, level, series_no)
  ),
  figure AS (
    SELECT series.*, month, (date_trunc('month', as_day(0)) + to_months(month::INTEGER))::DATE AS period,
           series_no * 1000 + month AS figure_no, level * exp(0.005 * month + 0.008 * gauss(figure_no, 'official')) AS figure
    FROM series CROSS JOIN range(-4, 1 + getvariable('days') // 28) AS months(month)
  ),
  released AS (
    SELECT *, unnest(CASE WHEN month % 4 = 0 THEN [0, 1] ELSE [0] END) AS revision FROM figure
  )
  SELECT 'sample' AS source, 'coffee' AS series, country, strftime(period, '%Y-%m') AS period,
         round(figure * (1 + 0.003 * revision), 3)::DECIMAL(9, 3) AS value,
         (period + to_months(1 + revision::INTEGER) + INTERVAL 11 DAY)::DATE AS released_on, title, unit
  FROM released
  WHERE released_on < as_day(getvariable('days'))
  ORDER BY country, period, released_on
) TO $path (FORMAT csv, HEADER);
