import { imports } from "./imports.js";
import { noLiteralText } from "./no-literal-text.js";
import { noNativeDateFields } from "./no-native-date-fields.js";
import { plainComments } from "./plain-comments.js";
import { zonedDates } from "./zoned-dates.js";

export default {
  meta: { name: "arcada" },
  rules: {
    imports,
    "no-literal-text": noLiteralText,
    "no-native-date-fields": noNativeDateFields,
    "plain-comments": plainComments,
    "zoned-dates": zonedDates,
  },
};
