package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;

/**
 * Makes a privacy group, whose genesis transaction it is. It has no contract that it waits for: its
 * receipt names the one that it made.
 *
 * @param inputs what the constructor of its domain was called with, UTF-8 JSON, private
 * @param request what the domain made of that
 */
public record NewGroup(TransactionId id, Identity from, Bytes inputs, GroupRequest request)
    implements Transaction {}
