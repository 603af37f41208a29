package dev.sequitur.protocol.settings;

/** What an operator may set; the defaults suit blocks of about a second. */
public record SequencerSettings(
    HeartbeatSettings heartbeats,
    DeliverySettings delivery,
    RetrySettings retries,
    LimitSettings limits) {
  public static final SequencerSettings DEFAULT =
      new SequencerSettings(
          HeartbeatSettings.DEFAULT,
          DeliverySettings.DEFAULT,
          RetrySettings.DEFAULT,
          LimitSettings.DEFAULT);
}
