-- The first line of a delimited file, whole.
SELECT line
FROM read_csv($path::VARCHAR, auto_detect = false, header = false, columns = {'line': 'VARCHAR'},
  delim = chr(1), quote = '', escape = '')
LIMIT 1;
