SELECT source || ':' || series AS series, country, min(released_on)::VARCHAR AS released_from,
       arg_max(title, row(released_on, period)) AS title, arg_max(unit, row(released_on, period)) AS unit
FROM official_figure
GROUP BY source, series, country
ORDER BY series, country
