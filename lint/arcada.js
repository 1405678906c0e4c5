import { imports } from "./imports.js";
import { noLiteralText } from "./no-literal-text.js";

export default {
  meta: { name: "arcada" },
  rules: { imports, "no-literal-text": noLiteralText },
};
