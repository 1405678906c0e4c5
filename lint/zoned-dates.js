/**
 * Rejects a day or a time that depends on the time zone of a process or a browser, or on UTC: days are those of an
 * institution's zone (decision 92), by the helpers of contract/kernel/time-zone, server domain/institution-time-zone and web
 * i18n/time-zone. A deliberate use states its reason: `// oxlint-disable-next-line arcada/zoned-dates -- reason`.
 */
export const zonedDates = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const place = context.filename.replaceAll("\\", "/");
    if (!inScope.test(place) || helpers.test(place) || /\.test\.tsx?$/.test(place)) return {};
    const refuse = (node, what) => context.report({ node, message: `${what} has no zone; see lint/zoned-dates.js.` });
    return {
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
        const name = callee.property.name;
        if (ownClock.has(name)) refuse(node, name);
        if (name === "slice" && isInstantColumn(callee.object) && node.arguments[1]?.value === 10)
          refuse(node, "a day cut out of an instant");
        if (name === "slice" && isInstantText(callee.object)) refuse(node, "a day cut out of toISOString()");
      },
      NewExpression(node) {
        const isFormat = node.callee.type === "MemberExpression" && node.callee.property.name === "DateTimeFormat";
        const options = node.arguments[1];
        if (isFormat && options?.type === "ObjectExpression" && !options.properties.some(isZone))
          refuse(node, "Intl.DateTimeFormat without timeZone");
      },
      TemplateLiteral(node) {
        const text = node.quasis.map((quasi) => quasi.value.raw).join("${}");
        for (const pattern of sqlDays) if (pattern.test(text)) refuse(node, `SQL by ${pattern.source}`);
      },
    };
  },
};

const inScope = /\/(?:apps\/(?:server|web)|packages\/(?:contract|analysis))\/src\//;
const helpers = /\/(?:kernel\/time-zone|domain\/institution-time-zone)\.ts$/;
const ownClock = new Set([
  "getFullYear",
  "getMonth",
  "getDate",
  "getDay",
  "getHours",
  "getMinutes",
  "getTimezoneOffset",
  "toLocaleDateString",
  "toLocaleTimeString",
]);
const isZone = ({ key }) => key?.name === "timeZone";
/** `x.toISOString()` on an instant. Calendar days from Date.UTC are formatted by addDays instead. */
const isInstantText = (node) =>
  node.type === "CallExpression" &&
  node.callee.type === "MemberExpression" &&
  node.callee.property.name === "toISOString";
const isInstantColumn = ({ type, property }) =>
  type === "MemberExpression" && /(?:_at|At)$/.test(property.name ?? "") && !/^(?:taken|inspected)/.test(property.name);
const sqlDays = [
  /\bcurrent_date\b/,
  /\b(?:now|clock_timestamp)\(\)::date\b/,
  // Times that a device or a person recorded as wall-clock time contain their own day.
  /\b(?!(?:taken|inspected)_at)(?:[a-z]+_at|at)\)?::date\b/,
  /make_interval\(mins => \$\{\}::int\)\) at time zone 'UTC'/,
  /to_char\(now\(\)/,
];
