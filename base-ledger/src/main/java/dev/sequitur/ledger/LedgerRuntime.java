package dev.sequitur.ledger;

import dev.sequitur.protocol.port.Signatures;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What a ledger is given to work with; none of it is closed by the ledger.
 *
 * @param signatures checks transactions and endorsements
 * @param time gives blocks their timestamps
 * @param scheduler only ever hands work to {@code executor}, so one thread shared with others will
 *     do
 * @param executor checks signatures, cuts blocks, reads the disk: needs threads that may block, and
 *     two of them to check signatures while a block is written
 */
public record LedgerRuntime(
    Signatures signatures,
    InstantSource time,
    ScheduledExecutorService scheduler,
    Executor executor) {}
