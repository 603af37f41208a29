package dev.sequitur.protocol.settings;

import dev.sequitur.protocol.copying.Copyable;

/** What an operator may set; the defaults suit blocks of about a second. */
@Copyable
public record SequencerSettings(
    HeartbeatSettings heartbeats,
    DeliverySettings delivery,
    RetrySettings retries,
    LimitSettings limits)
    implements SequencerSettingsBuilder.With {
  public static final SequencerSettings DEFAULT =
      new SequencerSettings(
          HeartbeatSettings.DEFAULT,
          DeliverySettings.DEFAULT,
          RetrySettings.DEFAULT,
          LimitSettings.DEFAULT);
}
