-- Material libraries of OBJ models are kept beside them, so that their colours can be made again.
alter table instance drop constraint instance_format_check;
alter table instance add constraint instance_format_check
  check (format in ('dicom', 'jpeg', 'png', 'stl', 'ply', 'obj', 'mtl'));
