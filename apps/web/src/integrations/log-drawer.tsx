import { Button, Drawer, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTexts } from "../i18n/texts.ts";
import { EmptyState } from "../ui/page-states.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import type { Query } from "../ui/query-result.tsx";
import classes from "./log-drawer.module.css";

interface Props<Entry> {
  title: string;
  /** The time for which entries are kept. */
  text: string;
  /** The name of the list for screen readers. */
  label: string;
  none: string;
  query: Query<{ list: Entry[]; next: string | null }>;
  /** Called with the cursor of the next page. */
  onOlder: (cursor: string) => void;
  renderEntry: (entry: Entry) => ReactNode;
  onClose: () => void;
}

/** The log of deliveries to another program, the newest first, page by page. */
export function LogDrawer<Entry>({ title, text, label, none, query, onOlder, renderEntry, onClose }: Props<Entry>) {
  const t = useTexts("interface");
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={520}
      title={title}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="md">
        <Text size="xs" c="dimmed">
          {text}
        </Text>
        <QueryResult of={query} isEmpty={({ list }) => list.length === 0} empty={<EmptyState title={none} />}>
          {({ list, next }) => (
            <>
              <ul className={classes.list} aria-label={label}>
                {list.map(renderEntry)}
              </ul>
              <Group justify="center">
                {next && (
                  <Button variant="subtle" onClick={() => onOlder(next)}>
                    {t("interface.log.older")}
                  </Button>
                )}
              </Group>
            </>
          )}
        </QueryResult>
      </Stack>
    </Drawer>
  );
}
