/** Refuses the browser's own fields for days and times: they follow the browser's language, not the product's (decision 96). */
export const noNativeDateFields = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const refuse = (node) => context.report({ node, message: "Use DayField (apps/web/src/ui/form/day-field.tsx)." });
    return {
      JSXAttribute(node) {
        if (node.name.name === "type" && isNative(node.value)) refuse(node);
      },
      Property(node) {
        if (/\/apps\/web\/src\//.test(context.filename) && node.key.name === "type" && isNative(node.value))
          refuse(node);
      },
    };
  },
};

const native = new Set(["date", "datetime-local", "time", "month", "week"]);
const isNative = (value) => value?.type === "Literal" && native.has(value.value);
