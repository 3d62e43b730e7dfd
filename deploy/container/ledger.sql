-- The database of the ledger, and its owner, who may do nothing else. psql runs it once, as the administrator of the server:
--   psql --set ON_ERROR_STOP=1 --username postgres --file ledger.sql
-- In: the password of the owner, in the file /run/secrets/ledger-password; without one nothing is made. Order of text is that
-- of bytes (collation C), and Nightpost refuses a database with another one.
\set password `cat /run/secrets/ledger-password`
SELECT :'password' = '' AS missing \gset
\if :missing
DO $$ BEGIN RAISE 'no password is in /run/secrets/ledger-password: nothing was made'; END $$;
\quit
\endif
CREATE ROLE nightpost LOGIN PASSWORD :'password';
CREATE DATABASE nightpost OWNER nightpost TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C';
REVOKE ALL ON DATABASE nightpost FROM PUBLIC;
