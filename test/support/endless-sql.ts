/** Statements that never end by themselves, by what they make without end. */
export const endless = [
  ['rows', 'SELECT * FROM range(100000000000)'],
  ['values', "SELECT repeat('x', 10000) FROM range(100000000)"],
  ['time', 'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t'],
] as const
