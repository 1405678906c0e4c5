import { Badge, Text } from "@mantine/core";
import { visitParts, type VisitContent } from "@arcada/contract/visit/visit.calls";
import { useTexts } from "../i18n/texts.ts";
import { useToothNames } from "../i18n/tooth-notation.ts";
import classes from "./visit.module.css";

/** The parts with text, and the marked teeth. */
export function VisitText({ content }: { content: VisitContent }) {
  const t = useTexts("visit");
  const { name } = useToothNames();
  return (
    <>
      <dl className={classes.parts}>
        {visitParts
          .filter((part) => content[part] !== "")
          .map((part) => (
            <div key={part}>
              <dt>{t(`visit.part.${part}`)}</dt>
              <dd dir="auto">{content[part]}</dd>
            </div>
          ))}
      </dl>
      {content.marks.length > 0 && (
        <ul className={classes.marks} aria-label={t("visit.teeth")}>
          {content.marks.map(({ fdi, remark }) => (
            <li key={fdi}>
              <Badge variant="light" radius="sm">
                {name(fdi)}
              </Badge>
              <Text size="sm" span dir="auto">
                {remark}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
