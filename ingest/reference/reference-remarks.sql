-- The first lines of a delimited file, whole.
SELECT coalesce(line, '') AS line
FROM read_csv($path::VARCHAR, auto_detect = false, header = false, columns = {'line': 'VARCHAR'},
  delim = chr(1), quote = '', escape = '')
LIMIT $most::INTEGER;
