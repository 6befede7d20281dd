INSERT INTO brand_word VALUES (
  'Nord|Cal|Bright|Oak|Zen|Pell|Quill|Haver|Thorn|Mar|Fen|Cold|Wil|Ash|Vel|Kes|Tam|Brin|Lark|Sol|Drum|Hazel|Ryd|Stell',
  'vik|verly|fen|hollow|tora|wood|stone|brook|mere|dale|ford|croft|ano|wick|ley|mont|haven|ridge|ova|mark'
);

-- Brands whose spelling tries the brand key: marks, joiners, digits, dots, letters beyond ASCII.
INSERT INTO named_brand VALUES
  ('Acme', 'acme'), ('Black & Fenn', 'blackandfenn'), ('Pell + Wick', 'pellandwick'), ('Dr. Hazelmere', 'drhazelmere'),
  ('Ørdal', 'ordal'), ('Maison Élodie', 'maisonelodie'), ('Kächele', 'kachele'), ('Łomza Works', 'lomzaworks'),
  ('3Peak', '3peak'), ('O''Farrow', 'ofarrow'), ('The Quiet Company', 'thequietcompany'), ('Nine·Seven', 'nineseven'),
  ('H&D', 'handd'), ('Sundrift', 'sundrift'), ('No Name', 'noname'), ('St. Clement''s', 'stclements');
