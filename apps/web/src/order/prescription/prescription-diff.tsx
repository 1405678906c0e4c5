import { Text } from "@mantine/core";
import type { RxRevision } from "@arcada/contract/order/message-reading-and-pins.calls";
import { formatDay, formatList } from "../../i18n/format.ts";
import { useTexts, translateDynamic } from "../../i18n/texts.ts";
import type { Translate } from "../../i18n/texts.ts";
import { useToothNames } from "../../i18n/tooth-notation.ts";
import { itemText } from "../core/item-text.ts";
import classes from "../detail/order-detail.module.css";

type Prescription = RxRevision["prescription"];
type Item = Prescription["items"][number];

interface DiffProps {
  before: Prescription;
  after: Prescription;
  /** The changed fields. Other fields are not shown. */
  fields: readonly string[];
}

/** The old and the new prescription, field by field. */
export function PrescriptionDiff({ before, after, fields }: DiffProps) {
  const t = useTexts("order");
  const { text: teethText } = useToothNames();
  const item = (one: Item) =>
    [
      teethText(one.teeth),
      itemText(t, one),
      one.stumpShade && `${t("order.item.stumpShade")}: ${one.stumpShade}`,
      one.pontics.length > 0 && `${t("order.item.pontics")}: ${teethText(one.pontics)}`,
      one.remark,
    ]
      .filter(Boolean)
      .join(" · ");
  return (
    <dl className={classes.diff}>
      {fields.map((field) => {
        const [oldLines, newLines] = [toLines(t, before, field, item), toLines(t, after, field, item)];
        return (
          <div key={field}>
            <dt>{translateField(t, field)}</dt>
            <dd>
              {oldLines
                .filter((line) => !newLines.includes(line))
                .map((line) => (
                  <Text key={line} component="del" size="xs" className={classes.was}>
                    {line}
                  </Text>
                ))}
              {newLines
                .filter((line) => !oldLines.includes(line))
                .map((line) => (
                  <Text key={line} component="ins" size="xs" className={classes.is}>
                    {line}
                  </Text>
                ))}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** A field that the form no longer has keeps its name. */
export const translateField = (t: Translate, field: string): string =>
  translateDynamic(t, `order.field.${field}`, field);

function toLines(t: Translate, rx: Prescription, field: string, item: (one: Item) => string): string[] {
  if (field === "items") return rx.items.map(item);
  const value = (rx as Record<string, unknown>)[field];
  if (Array.isArray(value)) return [formatList(value.map((one) => translateValue(t, field, String(one))))];
  if (typeof value === "boolean") return [t(value ? "common.yes" : "common.no")];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "string" || value === "") return ["–"];
  return [field === "dueDate" ? formatDay(value) : translateValue(t, field, value)];
}

/** Fields with coded values that have texts. Typed text is shown as it is. */
const textGroups: Partial<Record<string, string>> = {
  caseType: "caseType",
  workKinds: "workKind",
  jaws: "jaw",
  fixType: "fixType",
  gingiva: "gingiva",
  antagonist: "antagonist",
};
const translateValue = (t: Translate, field: string, value: string): string =>
  textGroups[field] ? translateDynamic(t, `order.${textGroups[field]}.${value}`, value) : value;
