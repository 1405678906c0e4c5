import { Text } from "@mantine/core";
import type { RxRevision } from "@arcada/contract/order/talk.calls";
import { showDay, showList } from "../../kernel/format.ts";
import { useTexts } from "../../kernel/texts.ts";
import type { Translate } from "../../kernel/texts.ts";
import { useTeeth } from "../../kernel/tooth.ts";
import { itemText } from "../item-text.ts";
import classes from "./order-detail.module.css";

type Rx = RxRevision["prescription"];
type Item = Rx["items"][number];

interface DiffProps {
  before: Rx;
  after: Rx;
  /** The changed fields. Other fields are not shown. */
  fields: readonly string[];
}

/** The old and the new prescription, field by field. */
export function PrescriptionDiff({ before, after, fields }: DiffProps) {
  const t = useTexts("order");
  const { text: teethText } = useTeeth();
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
        const [was, is] = [linesOf(t, before, field, item), linesOf(t, after, field, item)];
        return (
          <div key={field}>
            <dt>{t(`order.field.${field}`, { defaultValue: field })}</dt>
            <dd>
              {was
                .filter((line) => !is.includes(line))
                .map((line) => (
                  <Text key={line} component="del" size="xs" className={classes.was}>
                    {line}
                  </Text>
                ))}
              {is
                .filter((line) => !was.includes(line))
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

function linesOf(t: Translate, rx: Rx, field: string, item: (one: Item) => string): string[] {
  if (field === "items") return rx.items.map(item);
  const value = (rx as Record<string, unknown>)[field];
  if (Array.isArray(value)) return [showList(value.map((one) => worded(t, field, String(one))))];
  if (typeof value === "boolean") return [t(value ? "common.yes" : "common.no")];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "string" || value === "") return ["–"];
  return [field === "dueDate" ? showDay(value) : worded(t, field, value)];
}

/** Fields with coded values that have texts. Typed text is shown as it is. */
const wordsOf: Partial<Record<string, string>> = {
  caseType: "caseType",
  workKinds: "workKind",
  jaws: "jaw",
  fixType: "fixType",
  gingiva: "gingiva",
  antagonist: "antagonist",
};
const worded = (t: Translate, field: string, value: string): string =>
  wordsOf[field] ? t(`order.${wordsOf[field]}.${value}`, { defaultValue: value }) : value;
