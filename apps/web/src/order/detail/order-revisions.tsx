import { Alert, Badge, Group, Text } from "@mantine/core";
import { IconRosetteDiscountCheck } from "@tabler/icons-react";
import type { Order } from "@arcada/contract/order/order.calls";
import { formatTimestamp } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Section } from "../../ui/page.tsx";
import { isModelFile } from "../actions/action-input.ts";
import { listModels } from "../models/model-sets.ts";
import { FileRows, ShowModelsButton } from "../download/order-files.tsx";
import { isNewestRevision, revisionName, getRevisionStatus, findSuccessor } from "./revision-status.ts";
import type { OrderPins } from "../models/use-order-pins.ts";
import classes from "./order-detail.module.css";

type Revision = Order["revisions"][number];
const colours: Record<Revision["state"], string> = {
  submitted: "orange",
  confirmed: "green",
  returned: "gray",
  withdrawn: "gray",
  voided: "gray",
};
/** States in which a revision may still be submitted. */
const statesAwaitingRevision: readonly Order["state"][] = ["awaiting_scheme", "awaiting_design"];

interface RevisionsProps {
  order: Order;
  pins: OrderPins;
  onShow: (revisionId: string) => void;
}

/** Schemes and designs, the newest first. All are kept; a notice above them names the one to be made. */
export function OrderRevisions({ order, pins, onShow }: RevisionsProps) {
  const t = useTexts("order", "orderDetail");
  if (order.revisions.length === 0 && !statesAwaitingRevision.includes(order.state)) return null;
  const revisions = order.revisions.toSorted((a, b) => b.time.localeCompare(a.time));
  return (
    <Section title={t("order.detail.revisions")} flush={revisions.length > 0}>
      {revisions.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("order.detail.revisionsNone")}
        </Text>
      )}
      {revisions
        .filter((revision) => getRevisionStatus(order, revision) === "valid")
        .map((revision) => (
          <ConfirmedRevision key={revision.id} revision={revision} />
        ))}
      {revisions.map((revision) => (
        <RevisionCard key={revision.id} order={order} revision={revision} pins={pins} onShow={onShow} />
      ))}
    </Section>
  );
}

/** The confirmed revision, with the person who confirmed it and its checksum. */
function ConfirmedRevision({ revision }: { revision: Revision }) {
  const t = useTexts("order", "orderDetail");
  const { decided } = revision;
  const what = revisionName(t, revision);
  return (
    <Alert
      color="green"
      icon={<IconRosetteDiscountCheck aria-hidden />}
      title={t("orderDetail.revision.valid", { what })}
      className={classes.valid!}
    >
      <Group gap={6}>
        {decided && (
          <Text size="sm">
            {t("orderDetail.revision.confirmedBy", { who: decided.who, time: formatTimestamp(decided.time) })}
          </Text>
        )}
      </Group>
    </Alert>
  );
}

interface RevisionCardProps {
  order: Order;
  revision: Revision;
  pins: OrderPins;
  onShow: (id: string) => void;
}
function RevisionCard({ order, revision, pins, onShow }: RevisionCardProps) {
  const t = useTexts("order", "orderDetail");
  const files = order.files.filter(({ revisionId }) => revisionId === revision.id);
  const status = getRevisionStatus(order, revision);
  const successor = status === "old" ? findSuccessor(order, revision) : undefined;
  const what = revisionName(t, revision);
  return (
    <article className={classes.revision} data-over={status === "old"} aria-label={what}>
      <div className={classes.revisionTop}>
        <RevisionHead order={order} revision={revision} />
        {files.some(({ name, url }) => url && isModelFile(name)) && (
          <ShowModelsButton
            openPins={pins.countUnresolved(listModels(order, revision.id))}
            onShow={() => onShow(revision.id)}
          />
        )}
      </div>
      {revision.text && (
        <Text size="sm" className={classes.said} mt={6}>
          {revision.text}
        </Text>
      )}
      {files.length > 0 && (
        <FileRows
          orderId={order.id}
          files={files}
          {...(status === "old" && {
            warning: successor
              ? t("orderDetail.revision.oldFor", { what, valid: revisionName(t, successor) })
              : t("orderDetail.revision.old", { what }),
          })}
        />
      )}
    </article>
  );
}

function RevisionHead({ order, revision }: Pick<RevisionCardProps, "order" | "revision">) {
  const t = useTexts("order", "orderDetail");
  const { decided } = revision;
  return (
    <Group gap="sm">
      <Text fw={600} size="sm">
        {revisionName(t, revision)}
      </Text>
      <Badge variant="dot" color={colours[revision.state]} radius="sm" tt="none">
        {t(`order.revisionState.${revision.state}`)}
      </Badge>
      <RevisionAge order={order} revision={revision} />
      <Text size="xs" c="dimmed">
        {revision.who} · {formatTimestamp(revision.time)}
      </Text>
      {decided && (
        <Text size="xs" c="dimmed">
          {t(`orderDetail.revision.decided.${revision.state}`, {
            who: decided.who,
            time: formatTimestamp(decided.time),
          })}
        </Text>
      )}
    </Group>
  );
}

/** A withdrawn revision is neither the newest nor an older one. */
function RevisionAge({ order, revision }: Pick<RevisionCardProps, "order" | "revision">) {
  const t = useTexts("orderDetail");
  if (revision.state === "withdrawn") return null;
  return isNewestRevision(order, revision) ? (
    <Badge variant="light" radius="sm" tt="none">
      {t("orderDetail.revision.newest")}
    </Badge>
  ) : (
    <Badge variant="outline" color="gray" radius="sm" tt="none">
      {t("orderDetail.revision.older")}
    </Badge>
  );
}
