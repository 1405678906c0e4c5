import { z } from "zod";

// Comes before every schema: each decides as it is made, and its probe with `new Function` is what our content security
// policy forbids and reports.
z.config({ jitless: true });
