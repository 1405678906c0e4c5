-- Copies without names were made by leaving things out; from now on they are built anew (decision 75). Whoever asks again gets
-- a new one, and the old ones are let go.
delete from cleaned_file;
