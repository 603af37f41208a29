package dev.sequitur.node.guard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Refused;
import dev.sequitur.json.Sent;
import dev.sequitur.links.file.FileStamps;
import dev.sequitur.links.file.ReplacedFile;
import dev.sequitur.protocol.guard.ApiToken;
import dev.sequitur.protocol.guard.ApiTokens;
import dev.sequitur.protocol.id.Hash;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens of a node in a file, without their secrets. A node looks at most four times a second
 * whether the file has changed, so that what {@code sequitur token} does holds without a restart.
 * While the file cannot be read, what was read before stays. Thread-safe; reads a small file on the
 * thread that asks.
 */
public final class TokenFile {
  private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final FileStamps UNSEEN = FileStamps.of(List.of());
  private static final int MOST_ROLES = 100;

  private static final Format<Instant> TIME =
      Format.ofText("a time by RFC 3339", Formats.TIME, Instant::parse);
  private static final Field<String> ID = Field.of("id", Formats.TEXT, "");
  private static final Field<String> NAME = Field.of("name", Formats.TEXT, "");
  private static final Field<List<String>> ROLES =
      Field.of("roles", Formats.TEXT.list(MOST_ROLES), "");
  private static final Field<Hash> SECRET = Field.of("sha256", Formats.HASH, "");
  private static final Field<Instant> CREATED = Field.of("created", TIME, "");
  private static final Field<Instant> EXPIRES = Field.optional("expires", TIME, "");
  private static final Field<Instant> REVOKED = Field.optional("revoked", TIME, "");
  private static final ObjectFormat TOKEN =
      ObjectFormat.of("Token", ID, NAME, ROLES, SECRET, CREATED, EXPIRES, REVOKED);
  private static final Field<List<Sent>> TOKENS =
      Field.of("tokens", TOKEN.list(Integer.MAX_VALUE), "");
  private static final ObjectFormat FILE = ObjectFormat.of("Tokens", TOKENS);

  private final Path file;
  private final LongSupplier nanoTime;
  private volatile Seen seen;
  private volatile String lastProblem = "";

  private record Seen(FileStamps stamps, ApiTokens tokens, long nanos) {}

  /**
   * @param file need not exist
   */
  public TokenFile(Path file) {
    this(file, System::nanoTime);
  }

  TokenFile(Path file, LongSupplier nanoTime) {
    this.file = file;
    this.nanoTime = nanoTime;
    this.seen = new Seen(UNSEEN, ApiTokens.NONE, nanoTime.getAsLong() - LOOK_EVERY.toNanos());
  }

  /** As they are, or were a moment ago. */
  public ApiTokens current() {
    var last = seen;
    if (nanoTime.getAsLong() - last.nanos() < LOOK_EVERY.toNanos()) {
      return last.tokens();
    }
    return look();
  }

  private synchronized ApiTokens look() {
    long now = nanoTime.getAsLong();
    var stamps = FileStamps.of(file);
    if (stamps.equals(seen.stamps())) {
      seen = new Seen(stamps, seen.tokens(), now);
      return seen.tokens();
    }
    try {
      seen = new Seen(stamps, read(), now);
      lastProblem = "";
    } catch (IOException | IllegalArgumentException e) {
      seen = new Seen(seen.stamps(), seen.tokens(), now);
      if (!e.getMessage().equals(lastProblem)) {
        lastProblem = e.getMessage();
        LOG.warn("The node keeps the tokens it knows: {}", e.getMessage());
      }
    }
    return seen.tokens();
  }

  /**
   * Reads the file as it is now.
   *
   * @return none if there is no file
   * @throws IOException with a sentence, if it cannot be read
   * @throws IllegalArgumentException with a sentence, if it is not what the node writes
   */
  public ApiTokens read() throws IOException {
    try {
      var sent = FILE.read("tokens", JsonText.parse(Files.readAllBytes(file)));
      return new ApiTokens(sent.get(TOKENS).stream().map(TokenFile::token).toList());
    } catch (NoSuchFileException e) {
      return ApiTokens.NONE;
    } catch (IOException e) {
      throw new IOException(
          "The file of tokens %s cannot be read: let the node's user read it.".formatted(file), e);
    } catch (Refused | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "The file of tokens %s is damaged: take it from a backup, or delete it and make new tokens. %s"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  private static ApiToken token(Sent sent) {
    return new ApiToken(
        sent.get(ID),
        sent.get(NAME),
        sent.get(ROLES),
        sent.get(SECRET),
        sent.get(CREATED),
        sent.find(EXPIRES),
        sent.find(REVOKED));
  }

  /**
   * Changes the tokens; other processes that do so wait. Blocks.
   *
   * @throws IllegalArgumentException of the change, or if the file is damaged
   * @throws IOException with a sentence, if the file cannot be read or written
   */
  public void update(UnaryOperator<ApiTokens> change) throws IOException {
    var lock = file.resolveSibling(file.getFileName() + ".lock");
    Files.createDirectories(file.toAbsolutePath().getParent());
    try (var channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var held = channel.lock()) {
      assert held.isValid();
      ReplacedFile.write(
          file, new String(write(change.apply(read())), StandardCharsets.UTF_8), true);
    }
  }

  private static byte[] write(ApiTokens tokens) {
    var json = JsonText.object();
    var list = json.putArray(TOKENS.name());
    tokens.list().forEach(token -> list.add(write(token)));
    return JsonText.write(json);
  }

  private static JsonNode write(ApiToken token) {
    var json = JsonText.object().put(ID.name(), token.id()).put(NAME.name(), token.name());
    var roles = json.putArray(ROLES.name());
    token.roles().forEach(roles::add);
    json.set(SECRET.name(), SECRET.format().write(token.secret()));
    put(json, CREATED, Optional.of(token.created()));
    put(json, EXPIRES, token.expires());
    put(json, REVOKED, token.revoked());
    return json;
  }

  private static void put(ObjectNode json, Field<Instant> field, Optional<Instant> time) {
    time.ifPresent(value -> json.put(field.name(), value.toString()));
  }
}
