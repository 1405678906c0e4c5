import { useState } from "react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { useSearch, useSetSearch } from "../../kernel/link.tsx";
import { useCall } from "../../kernel/use-call.ts";
import { Answer } from "../../ui/answer.tsx";
import { NotDraft, OrderForm } from "./order-form.tsx";

/** A new order for the patient in the address, or for one to be chosen; with `id` the draft of that id. */
export function SendOrder() {
  const { id, patientId } = useSearch();
  const setSearch = useSetSearch();
  const [visit, setVisit] = useState({ place: id ?? patientId, own: "" });
  const place = id ?? patientId;
  // The draft that this form has just created gets its id in the address. Any other address mounts another form.
  if (place !== visit.place && id !== visit.own) setVisit({ place, own: "" });
  const onCreated = (made: string) => {
    setVisit((now) => ({ ...now, own: made }));
    setSearch({ id: made, patientId: undefined });
  };
  const isOwn = id !== undefined && id === visit.own;
  if (!id || isOwn)
    return (
      <OrderForm
        key={visit.place ?? "new"}
        order={null}
        patientId={isOwn ? visit.place : patientId}
        onCreated={onCreated}
      />
    );
  return <KnownDraft key={id} id={id} />;
}

function KnownDraft({ id }: { id: string }) {
  const order = useCall(orderCalls.detail, { id });
  return <Answer of={order}>{(found) => <Opened order={found} />}</Answer>;
}

/**
 * Updates from the server do not replace typed input: the form keeps the first answer, and saving detects later
 * changes.
 */
function Opened({ order }: { order: Parameters<typeof OrderForm>[0]["order"] & {} }) {
  const [first] = useState(order);
  if (first.state !== "draft") return <NotDraft order={first} />;
  return <OrderForm order={first} patientId={first.patientId ?? undefined} onCreated={() => {}} />;
}
