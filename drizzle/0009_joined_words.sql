-- Whoever stands is found by what an apostrophe or a hyphen joins, as whoever is written from now on: nuraini for Nur'aini.
INSERT OR IGNORE INTO `search_words` (`kind`, `word`, `owner_id`)
SELECT 'person', j.value, p.id FROM `patients` p, json_each('[' || replace(json_quote(replace(replace(replace(replace(replace(replace(lower(p.name), '''', ''), '’', ''), '‘', ''), 'ʼ', ''), '`', ''), '-', '')), ' ', '","') || ']') j
WHERE p.words IS NOT NULL AND (instr(p.name, '''') > 0 OR instr(p.name, '’') > 0 OR instr(p.name, '‘') > 0 OR instr(p.name, 'ʼ') > 0 OR instr(p.name, '`') > 0 OR instr(p.name, '-') > 0) AND j.value <> '' AND j.value NOT GLOB '*[^a-z0-9]*';
--> statement-breakpoint
UPDATE `patients` SET `words` = (SELECT json_group_array(word) FROM (
  SELECT value AS word FROM json_each(patients.words)
  UNION ALL SELECT DISTINCT j.value FROM json_each('[' || replace(json_quote(replace(replace(replace(replace(replace(replace(lower(patients.name), '''', ''), '’', ''), '‘', ''), 'ʼ', ''), '`', ''), '-', '')), ' ', '","') || ']') j WHERE j.value <> '' AND j.value NOT GLOB '*[^a-z0-9]*'
    AND j.value NOT IN (SELECT value FROM json_each(patients.words))))
WHERE words IS NOT NULL AND (instr(patients.name, '''') > 0 OR instr(patients.name, '’') > 0 OR instr(patients.name, '‘') > 0 OR instr(patients.name, 'ʼ') > 0 OR instr(patients.name, '`') > 0 OR instr(patients.name, '-') > 0);
--> statement-breakpoint
INSERT OR IGNORE INTO `search_words` (`kind`, `word`, `owner_id`)
SELECT 'doctor', j.value, p.id FROM `doctors` p, json_each('[' || replace(json_quote(replace(replace(replace(replace(replace(replace(lower(p.title || ' ' || p.name || ' ' || p.specialty), '''', ''), '’', ''), '‘', ''), 'ʼ', ''), '`', ''), '-', '')), ' ', '","') || ']') j
WHERE p.words IS NOT NULL AND (instr(p.title || ' ' || p.name || ' ' || p.specialty, '''') > 0 OR instr(p.title || ' ' || p.name || ' ' || p.specialty, '’') > 0 OR instr(p.title || ' ' || p.name || ' ' || p.specialty, '‘') > 0 OR instr(p.title || ' ' || p.name || ' ' || p.specialty, 'ʼ') > 0 OR instr(p.title || ' ' || p.name || ' ' || p.specialty, '`') > 0 OR instr(p.title || ' ' || p.name || ' ' || p.specialty, '-') > 0) AND j.value <> '' AND j.value NOT GLOB '*[^a-z0-9]*';
--> statement-breakpoint
UPDATE `doctors` SET `words` = (SELECT json_group_array(word) FROM (
  SELECT value AS word FROM json_each(doctors.words)
  UNION ALL SELECT DISTINCT j.value FROM json_each('[' || replace(json_quote(replace(replace(replace(replace(replace(replace(lower(doctors.title || ' ' || doctors.name || ' ' || doctors.specialty), '''', ''), '’', ''), '‘', ''), 'ʼ', ''), '`', ''), '-', '')), ' ', '","') || ']') j WHERE j.value <> '' AND j.value NOT GLOB '*[^a-z0-9]*'
    AND j.value NOT IN (SELECT value FROM json_each(doctors.words))))
WHERE words IS NOT NULL AND (instr(doctors.title || ' ' || doctors.name || ' ' || doctors.specialty, '''') > 0 OR instr(doctors.title || ' ' || doctors.name || ' ' || doctors.specialty, '’') > 0 OR instr(doctors.title || ' ' || doctors.name || ' ' || doctors.specialty, '‘') > 0 OR instr(doctors.title || ' ' || doctors.name || ' ' || doctors.specialty, 'ʼ') > 0 OR instr(doctors.title || ' ' || doctors.name || ' ' || doctors.specialty, '`') > 0 OR instr(doctors.title || ' ' || doctors.name || ' ' || doctors.specialty, '-') > 0);
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
