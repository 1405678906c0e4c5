import { Badge, Group, Text } from "@mantine/core";
import type { Order } from "@arcada/contract/order/order.calls";
import { showTime } from "../../kernel/format.ts";
import { useTexts } from "../../kernel/texts.ts";
import { Section } from "../../ui/page.tsx";
import { isModel } from "./action-input.ts";
import { FileRows, ShowButton } from "./order-files.tsx";
import classes from "./order-detail.module.css";

type Revision = Order["revisions"][number];
const colours: Record<Revision["state"], string> = {
  submitted: "orange",
  confirmed: "green",
  returned: "gray",
  withdrawn: "gray",
  voided: "gray",
};
/** States in which somebody may still submit a revision. */
const comesYet: readonly Order["state"][] = ["awaiting_scheme", "awaiting_design"];

/** Schemes and designs, the newest first; none is ever lost. */
export function OrderRevisions({ order, onShow }: { order: Order; onShow: (revisionId: string) => void }) {
  const t = useTexts("order");
  if (order.revisions.length === 0 && !comesYet.includes(order.state)) return null;
  const revisions = order.revisions.toSorted((a, b) => b.time.localeCompare(a.time));
  return (
    <Section title={t("order.detail.revisions")} flush={revisions.length > 0}>
      {revisions.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("order.detail.revisionsNone")}
        </Text>
      ) : (
        revisions.map((revision) => (
          <RevisionCard key={revision.id} order={order} revision={revision} onShow={onShow} />
        ))
      )}
    </Section>
  );
}

function RevisionCard({ order, revision, onShow }: { order: Order; revision: Revision; onShow: (id: string) => void }) {
  const t = useTexts("order");
  const files = order.files.filter(({ revisionId }) => revisionId === revision.id);
  return (
    <article className={classes.revision} data-over={revision.state !== "submitted" && revision.state !== "confirmed"}>
      <Group gap="sm" justify="space-between">
        <Group gap="sm">
          <Text fw={600} size="sm">
            {t(`order.detail.${revision.kind}Number`, { number: revision.number })}
          </Text>
          <Badge variant="dot" color={colours[revision.state]} radius="sm" tt="none">
            {t(`order.revisionState.${revision.state}`)}
          </Badge>
          <Text size="xs" c="dimmed">
            {revision.who} · {showTime(revision.time)}
          </Text>
        </Group>
        {files.some(({ name, url }) => url && isModel(name)) && <ShowButton onShow={() => onShow(revision.id)} />}
      </Group>
      {revision.text && (
        <Text size="sm" className={classes.said} mt={6}>
          {revision.text}
        </Text>
      )}
      {files.length > 0 && <FileRows orderId={order.id} files={files} />}
    </article>
  );
}
