-- in: $weights out:
-- The odds, in millionths, that a pair is of one product before rivals are considered. Weights are thousandths of natural
-- logarithms, by comparison and level; a pair of one entity outweighs every other.
CREATE OR REPLACE MACRO match_weight(name, level) AS getvariable('weights')[name][level + 1];

CREATE OR REPLACE MACRO match_odds(is_certain, words, model, measure, number, colour, kind, part_number, brand, lead, price) AS
  CASE WHEN is_certain THEN 1000000000000000 ELSE round(1e6 * exp(least(16000, match_weight('prior', 0)
    + match_weight('words', words) + match_weight('model', model) + match_weight('measure', measure)
    + match_weight('number', number) + match_weight('colour', colour) + match_weight('kind', kind)
    + match_weight('part_number', part_number) + match_weight('brand', brand) + match_weight('lead', lead)
    + match_weight('price', price)) / 1000))::BIGINT END;
