import { Button, Group, Text } from "@mantine/core";
import { useRef } from "react";
import type { InboxRow } from "@arcada/contract/study/inbox.calls";
import { useTexts } from "../../i18n/texts.ts";
import { formatInboxCount } from "./format-inbox-count.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { PageBody, Section } from "../../ui/page.tsx";
import { EmptyState, LoadingState } from "../../ui/page-states.tsx";
import { InboxItem } from "./inbox-item.tsx";
import { StudyBin } from "./study-bin.tsx";
import classes from "./inbox.module.css";
import { inboxCalls } from "@arcada/contract/study/inbox.calls";
import { send } from "../../data/ask.ts";
import { queryKeyOf } from "../../data/query-client.ts";
import { usePagedList } from "../../data/use-paged-list.ts";

/** Images without a certain patient. Each is assigned to a patient or moved to the bin. */
export function InboxList({ onNewPatient }: { onNewPatient: (study: InboxRow) => void }) {
  const t = useTexts("inbox");
  const inbox = useInbox();
  const listRef = useRef<HTMLDivElement>(null);
  return (
    <PageBody title={t("inbox.title")} description={t("inbox.says")} actions={<StudyBin patientId={null} />}>
      {/* The row with the focus disappears with its study, so move the focus into the list. */}
      <div ref={listRef} tabIndex={-1} className={classes.whole}>
        <Section flush>
          <QueryResult
            of={inbox}
            loading={<LoadingState lines={8} />}
            isEmpty={({ list }) => list.length === 0}
            empty={<EmptyState title={t("inbox.none.title")} text={t("inbox.none.text")} />}
          >
            {({ list, total }) => (
              <>
                <ul className={classes.items} aria-label={t("inbox.title")}>
                  {list.map((study) => (
                    <InboxItem
                      key={study.id}
                      study={study}
                      onNewPatient={onNewPatient}
                      onGone={() => listRef.current?.focus()}
                    />
                  ))}
                </ul>
                {inbox.hasNextPage && (
                  <Group justify="center" p="md">
                    <Text size="sm" c="dimmed">
                      {t("inbox.shownOf", { shown: list.length, total: formatInboxCount(total) })}
                    </Text>
                    <Button
                      variant="default"
                      size="xs"
                      loading={inbox.isFetchingNextPage}
                      onClick={() => void inbox.fetchNextPage()}
                    >
                      {t("inbox.showMore")}
                    </Button>
                  </Group>
                )}
              </>
            )}
          </QueryResult>
        </Section>
      </div>
    </PageBody>
  );
}

/** Addresses of images expire after five minutes. */
const renewMs = 240_000;

/** The studies in the inbox, page after page. */
const useInbox = () =>
  usePagedList(
    queryKeyOf(inboxCalls.inbox, {}),
    ({ cursor }, signal) => send(inboxCalls.inbox, cursor ? { cursor } : {}, { signal }),
    { pollMs: renewMs },
  );
