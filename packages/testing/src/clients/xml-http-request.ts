/** As much of a browser's XMLHttpRequest as a client of DICOMweb needs, for peers that know nothing else. */
export class XmlHttpRequest {
  readyState = 0;
  status = 0;
  response: unknown = null;
  responseType = "";
  upload: { onprogress?: () => void } = {};
  onreadystatechange: (() => void) | null = null;
  readonly #headers = new Headers();
  #method = "GET";
  #url = "";
  #answered = new Headers();

  open(method: string, url: string): void {
    this.#method = method.toUpperCase();
    this.#url = url;
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }
  getResponseHeader(name: string): string | null {
    return this.#answered.get(name);
  }
  getAllResponseHeaders(): string {
    return [...this.#answered].map(([name, value]) => `${name}: ${value}`).join("\r\n");
  }
  send(body?: BodyInit): void {
    void this.#ask(body);
  }
  async #ask(body: BodyInit | undefined): Promise<void> {
    const answer = await fetch(this.#url, { method: this.#method, headers: this.#headers, body: body ?? null });
    this.status = answer.status;
    this.#answered = answer.headers;
    if (this.responseType === "json") this.response = await answer.json().catch(() => null);
    else this.response = this.responseType === "" ? await answer.text() : await answer.arrayBuffer();
    this.readyState = 4;
    this.onreadystatechange?.();
  }
}
