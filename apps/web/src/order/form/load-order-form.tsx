import { useState } from "react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { useSearchParams, useSetSearchParams } from "../../browser/navigation.tsx";
import { useCall } from "../../data/use-call.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { NotDraftNotice, OrderForm } from "./order-form.tsx";

/** A new order for the patient in the address, or for one to be chosen; with `id` the draft of that id. */
export function SendOrder() {
  const { id, patientId } = useSearchParams();
  const setSearch = useSetSearchParams();
  const [mounted, setMounted] = useState({ place: id ?? patientId, own: "" });
  const addressId = id ?? patientId;
  // The draft that this form has just created gets its id in the address. Any other address mounts another form.
  if (addressId !== mounted.place && id !== mounted.own) setMounted({ place: addressId, own: "" });
  const onCreated = (made: string) => {
    setMounted((now) => ({ ...now, own: made }));
    setSearch({ id: made, patientId: undefined });
  };
  const isOwn = id !== undefined && id === mounted.own;
  if (!id || isOwn)
    return (
      <OrderForm
        key={mounted.place ?? "new"}
        order={null}
        patientId={isOwn ? mounted.place : patientId}
        onCreated={onCreated}
      />
    );
  return <LoadedDraft key={id} id={id} />;
}

function LoadedDraft({ id }: { id: string }) {
  const order = useCall(orderCalls.detail, { id });
  return <QueryResult of={order}>{(found) => <OpenedDraft order={found} />}</QueryResult>;
}

/**
 * Updates from the server do not replace typed input: the form keeps the first answer, and saving detects later
 * changes.
 */
function OpenedDraft({ order }: { order: Parameters<typeof OrderForm>[0]["order"] & {} }) {
  const [initial] = useState(order);
  if (initial.state !== "draft") return <NotDraftNotice order={initial} />;
  return <OrderForm order={initial} patientId={initial.patientId ?? undefined} onCreated={() => {}} />;
}
