import { config } from "zod";

// Imported before every schema: each schema reads the setting when it is created, and its probe with `new Function` is
// what our content security policy forbids and reports.
config({ jitless: true });
