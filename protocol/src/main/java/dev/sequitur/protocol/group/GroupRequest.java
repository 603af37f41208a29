package dev.sequitur.protocol.group;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import java.util.List;

/**
 * A privacy group to be made.
 *
 * @param request the caller's own JSON, kept with the group
 * @param configuration the domain's, UTF-8 JSON
 */
public record GroupRequest(
    String domain, String name, List<Identity> members, Bytes configuration, Bytes request) {
  public GroupRequest {
    members = List.copyOf(members);
  }
}
