import { Skeleton, Stack } from "@mantine/core";
import { useState } from "react";
import type { ComponentType, ReactNode } from "react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import { useSearchParams } from "../../browser/navigation.tsx";
import { usePageTitle } from "../../browser/page-title.ts";
import { useOrderNames } from "../../i18n/order-name.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { NotFoundState } from "../../ui/page-states.tsx";
import { compareSides, getInitialPair } from "../models/comparison-sides.ts";
import type { ComparePair } from "../models/comparison-sides.ts";
import { OrderDetailsMenu } from "./order-details-menu.tsx";
import { isEnded } from "../core/order-status-text.ts";
import { DesignReview } from "../review/design-review.tsx";
import { findDesignToReview, reviewActions } from "../review/reviewed-design.ts";
import { OrderCompare } from "../models/compare-revisions.tsx";
import type { PairProps } from "../models/compare-revisions.tsx";
import { OrderDownload } from "../download/order-download.tsx";
import { OrderFiles } from "../download/order-files.tsx";
import { OrderHeader, OrderSummary } from "./order-header.tsx";
import { OrderMessages } from "../messages/order-messages.tsx";
import { OrderModels } from "../models/order-models.tsx";
import type { RenewUrls, SceneProps } from "../models/order-models.tsx";
import { OrderRevisions } from "./order-revisions.tsx";
import { OrderTimeline } from "./order-timeline.tsx";
import { PrintPrescription } from "../prescription/print-prescription.tsx";
import { PrescriptionView } from "../prescription/prescription-view.tsx";
import { useOrderPins } from "../models/use-order-pins.ts";
import classes from "./order-detail.module.css";

/** The components that draw models: one set, or two side by side. */
interface ViewerComponents {
  Scene: ComponentType<SceneProps>;
  Pair: ComponentType<PairProps>;
  /** Returns the button that shares the order. Sharing is not part of the order slice. */
  share: (order: Order) => ReactNode;
}

/** One order, the same page for both sides. */
export function OrderDetail(components: ViewerComponents) {
  const { id } = useSearchParams();
  if (!id) return <NotFoundState />;
  return <LoadedOrder key={id} id={id} {...components} />;
}

function LoadedOrder({ id, ...components }: ViewerComponents & { id: string }) {
  const order = useCall(orderCalls.detail, { id });
  const renew: RenewUrls = async (file) => {
    const fresh = (await order.refetch()).data?.files.find((one) => one.id === file);
    return fresh?.url ? { url: fresh.url, glb: fresh.glb } : null;
  };
  return (
    <QueryResult of={order} loading={<LoadingSkeleton />}>
      {(found) => <OrderPage order={found} renew={renew} {...components} />}
    </QueryResult>
  );
}

function OrderPage({ order, renew, Scene, Pair, share }: ViewerComponents & { order: Order; renew: RenewUrls }) {
  const t = useTexts("order", "orderDetail");
  const [shown, setShown] = useState<string | null>(null);
  const [comparison, compare] = useState<{ pair: ComparePair; state: Order["state"] } | null>(null);
  const { title } = useOrderNames();
  usePageTitle(title(order));
  const isHeaderOnly = order.mine === "receiver" && (order.state === "cancelled" || order.state === "refused");
  const pins = useOrderPins(order, !isHeaderOnly && order.state !== "draft");
  const initialPair = getInitialPair(order, compareSides(order, t));
  const design = findDesignToReview(order);
  const setPair = (pair: ComparePair | null) => compare(pair && { pair, state: order.state });
  // A comparison that was opened for a decision closes once that decision has ended the order.
  const pair = comparison && isEnded(order.state) === isEnded(comparison.state) ? comparison.pair : null;
  return (
    <Stack gap="lg" className={classes.page}>
      <OrderHeader
        order={order}
        isHeaderOnly={isHeaderOnly}
        tools={
          <>
            {!isHeaderOnly && <OrderDownload order={order} />}
            {order.mayShare && share(order)}
            <OrderDetailsMenu order={order} onCompare={initialPair ? () => setPair(initialPair) : undefined} />
          </>
        }
      >
        {!design && <OrderSummary order={order} reviewed={[]} />}
      </OrderHeader>
      {design && (
        <>
          <DesignReview key={design.id} {...{ order, design, Scene, renew, pins }} isRequested={shown === design.id} />
          <Stack gap="md">
            <OrderSummary order={order} reviewed={reviewActions} />
          </Stack>
        </>
      )}
      {pair && <OrderCompare {...{ order, Scene, Pair, renew, pins, pair }} onPair={setPair} />}
      <OrderModels {...{ order, Scene, renew, pins }} shown={shown === design?.id ? null : shown} onShow={setShown} />
      <div className={isHeaderOnly ? classes.single : classes.columns}>
        <Stack gap="lg" miw={0}>
          {!isHeaderOnly && <PrescriptionView order={order} actions={<PrintPrescription id={order.id} />} />}
          <OrderRevisions order={order} pins={pins} onShow={setShown} />
          {!isHeaderOnly && <OrderFiles order={order} pins={pins} onShow={setShown} />}
        </Stack>
        <Stack gap="lg" miw={0}>
          <OrderMessages order={order} onShow={setShown} />
          <OrderTimeline order={order} />
        </Stack>
      </div>
    </Stack>
  );
}

function LoadingSkeleton() {
  const t = useTexts();
  return (
    <Stack gap="lg" className={classes.page} role="status" aria-label={t("common.loading")}>
      <Skeleton h={150} radius="lg" />
      <div className={classes.columns}>
        <Skeleton h={420} radius="lg" />
        <Skeleton h={320} radius="lg" />
      </div>
    </Stack>
  );
}
