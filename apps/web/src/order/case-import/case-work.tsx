import { Text } from "@mantine/core";
import type { CaseItem } from "@arcada/exchange/lab-case/lab-case";
import { useTexts } from "../../i18n/texts.ts";
import { useToothNames } from "../../i18n/tooth-notation.ts";
import { itemText } from "../core/item-text.ts";
import classes from "./case-import.module.css";

/** The work of a case: teeth, kind, material and shade, a line for each. */
export function CaseWork({ items, replaces }: { items: readonly CaseItem[]; replaces: boolean }) {
  const t = useTexts("labCase", "order");
  const teeth = useToothNames();
  if (items.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("labCase.work.none")}
      </Text>
    );
  return (
    <>
      <ul className={classes.lines}>
        {items.map((item, at) => (
          <li key={at} className={classes.line}>
            <Text component="span" size="sm" fw={600} className={classes.teeth!}>
              {item.teeth.length > 0 ? teeth.text(item.teeth) : "–"}
            </Text>
            <Text component="span" size="sm">
              {[
                itemText(t, item),
                item.pontics.length > 0 && t("labCase.work.pontics", { teeth: teeth.text(item.pontics) }),
                item.remark && `“${item.remark}”`,
              ]
                .filter(Boolean)
                .join(" · ")}
            </Text>
          </li>
        ))}
      </ul>
      {replaces && (
        <Text size="xs" c="dimmed">
          {t("labCase.work.replaces")}
        </Text>
      )}
    </>
  );
}
