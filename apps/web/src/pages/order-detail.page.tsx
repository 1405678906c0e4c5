import { OrderDetail } from "../order/detail/order-detail.tsx";
import { ShareOrderButton } from "../share/share-button.tsx";
import { ModelScene } from "../viewer/model/lazy-model-viewer.tsx";
import { SideBySideModels } from "../viewer/side-by-side-models/side-by-side-models.tsx";

export const Page = () => (
  <OrderDetail Scene={ModelScene} Pair={SideBySideModels} share={(order) => <ShareOrderButton order={order} />} />
);
