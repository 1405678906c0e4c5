/**
 * Rejects literal text in the screens: user-facing text comes from packages/texts, in the user's language. Numbers,
 * punctuation and symbols are allowed.
 */
export const noLiteralText = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const place = context.filename.replaceAll("\\", "/");
    if (!place.includes("/apps/web/src/") || /\.test\.tsx?$/.test(place)) return {};
    const check = (node) => {
      for (const { at, text } of literalsIn(node))
        if (/\p{L}/u.test(text))
          context.report({
            node: at,
            message: `“${text.trim()}” belongs into packages/texts, in every language: t("…").`,
          });
    };
    return {
      JSXElement: (node) => node.children.forEach(check),
      JSXFragment: (node) => node.children.forEach(check),
      JSXAttribute(node) {
        if (node.value && readAttributes.has(nameOf(node.name))) check(node.value);
      },
    };
  },
};

const readAttributes = new Set(["label", "placeholder", "title", "aria-label", "description", "alt"]);
const nameOf = (name) => (name.type === "JSXNamespacedName" ? `${name.namespace.name}:${name.name.name}` : name.name);

/** Returns the literal texts that this child or attribute may show. Elements inside it are visited separately. */
function literalsIn(node) {
  switch (node?.type) {
    case "JSXText":
      return [{ at: node, text: node.value }];
    case "Literal":
      return typeof node.value === "string" ? [{ at: node, text: node.value }] : [];
    case "TemplateLiteral":
      return [
        ...node.quasis.map((quasi) => ({ at: node, text: quasi.value.cooked ?? "" })),
        ...node.expressions.flatMap(literalsIn),
      ];
    case "ConditionalExpression":
      return [...literalsIn(node.consequent), ...literalsIn(node.alternate)];
    case "LogicalExpression":
      return [...(node.operator === "&&" ? [] : literalsIn(node.left)), ...literalsIn(node.right)];
    case "BinaryExpression":
      return node.operator === "+" ? [...literalsIn(node.left), ...literalsIn(node.right)] : [];
    case "JSXExpressionContainer":
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
      return literalsIn(node.expression);
    default:
      return [];
  }
}
