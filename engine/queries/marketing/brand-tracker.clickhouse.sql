SELECT kind, period, if(kind = 1, price, 0) AS value, count() AS n, sumForEach(if(kind = 0, sums, [])) AS sums
FROM series_point ARRAY JOIN [0, 1] AS kind
GROUP BY kind, period, value
ORDER BY kind, period, value
