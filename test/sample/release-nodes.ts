/** A statement that reads the nodes of a GPC release in the official form: level, code and the code above. */
export const releaseNodes = (path: string): string => `
  WITH RECURSIVE node AS (
    SELECT unnest(Schema) AS entry, NULL::INTEGER AS parent FROM read_json('${path}', columns = {Schema: 'JSON[]'})
    UNION ALL
    SELECT unnest((entry->'Childs')::JSON[]), (entry->>'Code')::INTEGER FROM node
  )
  SELECT (entry->>'Level')::INTEGER AS level, entry->>'Code' AS code, parent::VARCHAR AS parent FROM node`
