-- Of the partial index on this expression the planner takes no statistics: it thought a third of all patients older than
-- any age, and walked half a million rows to find nobody.
create statistics patient_born on (patient_born(birth_date, age_given, age_given_on)) from patient;
analyze patient;
