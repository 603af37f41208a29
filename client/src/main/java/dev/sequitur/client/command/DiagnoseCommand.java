package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.client.CallFailure;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import dev.sequitur.console.WrongOption;
import dev.sequitur.console.diagnosis.LogTail;
import dev.sequitur.console.diagnosis.WithoutSecrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code sequitur diagnose}: all that helps to find a fault, in one archive. */
@Command(
    name = "diagnose",
    description = {
      "Packs what helps to find a fault of a node into one archive (zip): health, peers, metrics,"
          + " configuration, threads, the end of the log, and versions. It has no passwords, tokens"
          + " or keys, and no contents of transactions or states; names of nodes, groups and files"
          + " are in it.",
      "",
      "What a node that is down cannot tell is read from this machine, if --config says where; what"
          + " is missing stands in contents.txt. Exit code 0: all is there. 1: something is"
          + " missing.",
      "",
      "The caller's role must grant 'operate'.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur diagnose --out node1.zip",
      "  sequitur diagnose --out node1.zip --config /etc/sequitur/sequitur.conf"
    })
final class DiagnoseCommand extends AskingCommand implements Callable<Integer>, EndsAtOnce {
  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description = "The archive, which must not be there yet; only its user may read it.")
  private Path out;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The node's configuration on this machine, for a node that does not answer.")
  private Path config;

  /** What is packed, and why the rest is not, by the names within the archive. */
  private static final class Findings {
    private final Map<String, String> parts = new LinkedHashMap<>();
    private final Map<String, String> missing = new LinkedHashMap<>();

    private void found(String name, String text) {
      parts.put(name, text);
      missing.remove(name);
    }

    private void lacks(String name, String why) {
      missing.put(name, why);
    }

    private void look(String name, Supplier<String> text) {
      try {
        found(name, text.get());
      } catch (CallFailure e) {
        lacks(name, e.getMessage());
      }
    }

    private boolean has(String name) {
      return parts.containsKey(name);
    }
  }

  @Override
  public Integer call() {
    if (Files.exists(out)) {
      throw new WrongOption(out + " is there already: name a file that is not.");
    }
    var findings = new Findings();
    tell("Asking the node for its health …");
    findings.look("health.json", () -> page("/health", 503));
    tell("Asking for its metrics …");
    findings.look("metrics.txt", () -> page("/metrics", 200));
    tell("Asking for its configuration, threads and log …");
    askForDiagnosis(findings);
    if (config != null) {
      tell("Reading " + config + " …");
      readHere(findings);
    }
    write(findings);
    print(summary(findings), summary -> told(findings));
    return findings.missing.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /**
   * @param alsoTaken a status that tells something, beside 200
   */
  private String page(String path, int alsoTaken) {
    var page = node().page(path);
    if (page.status() != 200 && page.status() != alsoTaken) {
      throw new CallFailure(
          "The node answers %s with HTTP %d: %s"
              .formatted(path, page.status(), page.text().strip()));
    }
    return page.text();
  }

  private void askForDiagnosis(Findings findings) {
    try {
      var told = node().call("node_diagnose");
      for (var field : new String[] {"configuration", "threads", "log"}) {
        var name = nameOf(field);
        if (told.path(field).asText().isEmpty()) {
          findings.lacks(
              name,
              field.equals("log")
                  ? "The node writes no file of its own: its lines are where the standard output"
                      + " goes (journalctl, docker logs, kubectl logs)."
                  : "The node has none.");
        } else {
          findings.found(name, told.path(field).asText());
        }
      }
      findings.found("versions.txt", versions(told));
    } catch (CallFailure e) {
      for (var name :
          new String[] {"configuration.conf", "threads.txt", "log.txt", "versions.txt"}) {
        findings.lacks(name, e.getMessage());
      }
    }
  }

  private static String nameOf(String field) {
    return field + (field.equals("configuration") ? ".conf" : ".txt");
  }

  private static String versions(JsonNode told) {
    return """
    Sequitur %s
    Java     %s
    System   %s
    Started  %s
    """
        .formatted(
            told.path("version").asText(),
            told.path("java").asText(),
            told.path("system").asText(),
            told.path("started").asText());
  }

  /** What the node has not told, as it is on this machine. */
  private void readHere(Findings findings) {
    Config read;
    try {
      read = ConfigFactory.parseFile(config.toFile()).resolve();
    } catch (ConfigException e) {
      // Its text may quote the line, and what stands there may be a secret.
      findings.lacks(
          "configuration.conf",
          config + " cannot be read; 'sequitur config check " + config + "' says why.");
      return;
    }
    if (!findings.has("configuration.conf")) {
      findings.found(
          "configuration.conf",
          "# As in the file, without defaults.\n" + WithoutSecrets.text(read));
    }
    if (!findings.has("log.txt") && read.hasPath("node.data-directory")) {
      var beside = config.toAbsolutePath().getParent();
      var log = beside.resolve(read.getString("node.data-directory")).resolve("log/sequitur.log");
      findings.look("log.txt", () -> end(log));
    }
  }

  private static String end(Path log) {
    try {
      return LogTail.of(log);
    } catch (IOException e) {
      throw new CallFailure("The log " + log + " cannot be read: " + e.getMessage(), e);
    }
  }

  private void write(Findings findings) {
    try {
      createPrivate(out);
      try (var zip = new ZipOutputStream(Files.newOutputStream(out, StandardOpenOption.WRITE))) {
        add(zip, "contents.txt", contents(findings));
        for (var part : findings.parts.entrySet()) {
          add(zip, part.getKey(), part.getValue());
        }
      }
    } catch (FileAlreadyExistsException e) {
      throw new WrongOption(out + " is there already: name a file that is not.");
    } catch (IOException e) {
      throw new WrongOption(out + " cannot be written: " + e.getMessage());
    }
  }

  private static void createPrivate(Path file) throws IOException {
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      var owner = PosixFilePermissions.fromString("rw-------");
      Files.createFile(file, PosixFilePermissions.asFileAttribute(owner));
    } else {
      Files.createFile(file);
    }
  }

  private static void add(ZipOutputStream zip, String name, String text) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(text.getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
  }

  private static String contents(Findings findings) {
    var text = new StringBuilder();
    text.append("What sequitur diagnose has found at ")
        .append(Instant.now().truncatedTo(ChronoUnit.SECONDS))
        .append(".\n\n");
    findings.parts.keySet().forEach(name -> text.append(name).append('\n'));
    if (!findings.missing.isEmpty()) {
      text.append("\nMissing:\n");
      findings.missing.forEach(
          (name, why) -> text.append(name).append(": ").append(why).append('\n'));
    }
    return text.toString();
  }

  private JsonNode summary(Findings findings) {
    var summary = NodeCalls.JSON.createObjectNode().put("file", out.toString());
    var parts = summary.putArray("parts");
    findings.parts.keySet().forEach(parts::add);
    var missing = summary.putObject("missing");
    findings.missing.forEach(missing::put);
    return summary;
  }

  private String told(Findings findings) {
    var text =
        new StringBuilder("%s has %s.".formatted(out, String.join(", ", findings.parts.keySet())));
    findings.missing.forEach(
        (name, why) -> text.append("\n  missing  %s: %s".formatted(name, why)));
    return text.toString();
  }
}
