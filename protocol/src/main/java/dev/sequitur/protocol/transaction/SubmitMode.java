package dev.sequitur.protocol.transaction;

/** Who puts the prepared transaction on the base ledger. */
public enum SubmitMode {
  /** The coordinator's submitter ({@code ptx_sendTransaction}). */
  AUTO,
  /** The caller, who reads the prepared transaction ({@code ptx_prepareTransaction}). */
  EXTERNAL
}
