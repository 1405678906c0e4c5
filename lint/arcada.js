import { imports } from "./imports.js";
import { noLiteralText } from "./no-literal-text.js";
import { zonedDates } from "./zoned-dates.js";

export default {
  meta: { name: "arcada" },
  rules: { imports, "no-literal-text": noLiteralText, "zoned-dates": zonedDates },
};
