-- Whether more fits is asked for every file that comes: its sums are read from these alone.
create index upload_coming on upload (institution_id) include (bytes) where state <> 'finished';
create index stored_file_sizes on stored_file (institution_id) include (bytes);
