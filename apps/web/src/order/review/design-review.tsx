import { Button, Group, Paper, Text, Title } from "@mantine/core";
import { useCallback, useEffect, useRef, useState } from "react";
import type { ComponentType } from "react";
import { messageCalls } from "@arcada/contract/order/message-reading-and-pins.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { formatTimestamp } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { ask } from "../../data/ask.ts";
import { notifyCommandSuccess } from "../../data/command-success-and-ended-records.ts";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { FileRows } from "../download/order-files.tsx";
import { revisionName } from "../detail/revision-status.ts";
import { listModels } from "../models/model-sets.ts";
import type { RenewUrls, SceneProps } from "../models/order-models.tsx";
import type { OrderPins } from "../models/use-order-pins.ts";
import { joinPinReasons, reviewActions } from "./reviewed-design.ts";
import type { Revision } from "./reviewed-design.ts";
import classes from "./design-review.module.css";

interface DesignReviewProps {
  order: Order;
  /** The design that waits for the decision of the reader's side. */
  design: Revision;
  Scene: ComponentType<SceneProps>;
  renew: RenewUrls;
  pins: OrderPins;
  /** True if the page was asked to show this design. */
  isRequested: boolean;
}

/** The design that waits for its approval, drawn on the scans, with the two decisions in its frame. */
export function DesignReview({ order, design, Scene, renew, pins, isRequested }: DesignReviewProps) {
  const t = useTexts("order", "orderDetail");
  const frame = useRef<HTMLElement>(null);
  const own = listModels(order, design.id);
  const models = [...listModels(order, null), ...own];
  const open = useOpening(order, design);
  const isDrawn = own.length > 0;
  useEffect(() => {
    // Models that no viewer draws are looked at in the reader's own program.
    if (!isDrawn) open();
  }, [isDrawn, open]);
  useEffect(() => {
    if (isRequested) frame.current?.scrollIntoView({ block: "start", behavior: "smooth" });
  }, [isRequested]);
  const documents = order.files.filter(
    ({ id, revisionId }) => revisionId === design.id && !own.some((model) => model.id === id),
  );
  const name = revisionName(t, design);
  return (
    <Paper component="section" ref={frame} className={classes.frame} aria-label={name}>
      <Group className={classes.head} justify="space-between" gap="xs">
        <Title order={2} size="h3">
          {t("orderDetail.review.title", { what: name })}
        </Title>
        <Text size="xs" c="dimmed">
          {design.who} · {formatTimestamp(design.time)}
        </Text>
      </Group>
      {design.text && (
        <Text size="sm" className={classes.said!}>
          {design.text}
        </Text>
      )}
      {isDrawn && (
        <div className={classes.scene}>
          <Scene
            models={models}
            renew={renew}
            pins={pins.forModels(models)}
            onLoaded={(shown) => {
              if (own.every(({ id }) => shown.includes(id))) open();
            }}
          />
        </div>
      )}
      {documents.length > 0 && <FileRows orderId={order.id} files={documents} />}
      <Decision order={order} isSeen={design.seen} reason={joinPinReasons(t, pins.listOwnOpen(models))} />
    </Paper>
  );
}

/** Returns a function that tells the server, once, that the reader has opened the design. */
function useOpening({ id }: Order, { id: revision, seen }: Revision): () => void {
  const isAsked = useRef(false);
  return useCallback(() => {
    if (seen || isAsked.current) return;
    isAsked.current = true;
    ask(messageCalls.openRevision, { id, revision }).then(
      () => notifyCommandSuccess(messageCalls.openRevision),
      () => void (isAsked.current = false),
    );
  }, [id, revision, seen]);
}

interface DecisionProps {
  order: Order;
  isSeen: boolean;
  /** The reader's own comments on the models. */
  reason: string;
}
function Decision({ order, isSeen, reason }: DecisionProps) {
  const t = useTexts("order", "orderDetail");
  const [chosen, setChosen] = useState<OrderAction | null>(null);
  const open = reviewActions.filter((action) => order.actions.includes(action));
  if (open.length === 0) return null;
  return (
    <Group className={classes.decision} justify="flex-end" gap="sm">
      <Text size="sm" c="dimmed" role="status" className={classes.hint!}>
        {t(isSeen ? "orderDetail.review.hint" : "orderDetail.review.opening")}
      </Text>
      {open.map((action) =>
        action === "returnDesign" ? (
          <Button key={action} variant="default" onClick={() => setChosen(action)}>
            {t(`order.action.${action}`)}
          </Button>
        ) : (
          <Button key={action} disabled={!isSeen} onClick={() => setChosen(action)}>
            {t(`order.action.${action}`)}
          </Button>
        ),
      )}
      {chosen && (
        <ActionDialog
          key={chosen}
          order={order}
          action={chosen}
          onClose={() => setChosen(null)}
          {...(chosen === "returnDesign" && { reason })}
        />
      )}
    </Group>
  );
}
