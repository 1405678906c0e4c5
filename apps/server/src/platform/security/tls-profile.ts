/**
 * BCP 195 (RFC 9325), as PS3.15 B.9 and B.12 require: TLS 1.2 with forward secrecy and authenticated encryption, or
 * 1.3.
 */
export const bcp195 = {
  minVersion: "TLSv1.2",
  honorCipherOrder: true,
  ciphers: [
    "TLS_AES_256_GCM_SHA384",
    "TLS_AES_128_GCM_SHA256",
    "TLS_CHACHA20_POLY1305_SHA256",
    ...["ECDHE-ECDSA", "ECDHE-RSA"].flatMap((one) => [
      `${one}-AES256-GCM-SHA384`,
      `${one}-AES128-GCM-SHA256`,
      `${one}-CHACHA20-POLY1305`,
    ]),
  ].join(":"),
} as const;
