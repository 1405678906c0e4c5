import { Stack, Text } from "@mantine/core";
import { IconEye, IconPencil } from "@tabler/icons-react";
import { describeAccess, smartContexts } from "@arcada/contract/smart/smart-scopes";
import type { DescribedAccess } from "@arcada/contract/smart/smart-scopes";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import classes from "./smart.module.css";

/** Says in words what scopes allow: first whose records, then each kind of record. */
export function AccessList({ scopes }: { scopes: readonly string[] }) {
  const t = useTexts("smart");
  const rows = describeAccess(scopes);
  return (
    <Stack gap="md">
      {smartContexts
        .map((context) => ({ context, of: rows.filter((row) => row.context === context) }))
        .filter(({ of }) => of.length > 0)
        .map(({ context, of }) => (
          <Stack key={context} gap="xs">
            <Text size="sm" fw={600} id={`access-${context}`}>
              {t(`smart.context.${context}`)}
            </Text>
            <ul className={classes.access} aria-labelledby={`access-${context}`}>
              {of.map((row) => (
                <li key={row.type}>
                  {row.changes ? <IconPencil size={18} aria-hidden /> : <IconEye size={18} aria-hidden />}
                  <Text size="sm">{formatAccess(t, row)}</Text>
                </li>
              ))}
            </ul>
          </Stack>
        ))}
    </Stack>
  );
}

function formatAccess(t: Translate, { type, reads, changes }: DescribedAccess): string {
  const what = t(`smart.type.${type === "*" ? "all" : type}`);
  return t(`smart.access.${reads && changes ? "both" : changes ? "changes" : "reads"}`, { what });
}

/** The same in one line, for lists. */
export const summarizeAccess = (t: Translate, scopes: readonly string[]): string[] =>
  describeAccess(scopes).map((row) => formatAccess(t, row));
