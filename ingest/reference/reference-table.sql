-- The lines of a delimited file as objects of texts.
SELECT to_json(line)::VARCHAR AS record
FROM read_csv(getvariable('file')['path'], all_varchar = true, header = true, skip = getvariable('file')['skip']::BIGINT,
  delim = getvariable('file')['delimiter'], quote = '"', escape = '"', ignore_errors = false) AS line;
