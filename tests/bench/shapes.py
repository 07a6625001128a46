"""shapes.py DIR: schemas and documents in the shape of configuration files that people write, which have been slow for
validators: DIR/NAME/schema-noformat.json and instances.jsonl, the same on every run. Nothing is copied from the files of
anybody; a name says whose shape it is."""
import json
import os
import random
import sys

DRAFT_07 = 'http://json-schema.org/draft-07/schema#'
WORDS = ('alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon '
         'phi chi psi omega src lib test docs build include tools scripts vendor assets').split()
chance = random.Random(20260822)


def word():
    return chance.choice(WORDS)


def words(low, high):
    return [word() + str(chance.randrange(1000)) for _ in range(chance.randint(low, high))]


def some(members):
    """The members of an object that a user happens to write, in an order of his own."""
    kept = [name for name in members if chance.random() < 0.5]
    chance.shuffle(kept)
    return {name: members[name]() for name in kept}


def choice(*values):
    return lambda: chance.choice(values)


def strings(low=1, high=6):
    return lambda: words(low, high)


STRING, BOOLEAN, STRINGS = {'type': 'string'}, {'type': 'boolean'}, {'type': 'array', 'items': {'type': 'string'}}


def linter():
    """yamllint: tiny, and nearly everything is allowed."""
    schema = {'allOf': [{'$ref': '#/definitions/ignore'}],
              'definitions': {'ignore': {'properties': {'ignore': STRING}},
                              'toggle': {'type': 'string', 'enum': ['enable', 'disable']}}}
    rule = lambda: chance.choice(['disable', 'enable', {'max': chance.randrange(200), 'level': 'warning'}])
    return schema, lambda: dict(extends='default', rules={word(): rule() for _ in range(chance.randint(1, 5))},
                                **some({'ignore': word}))


def checks():
    """code-climate: a schema of many references beside members, documents of a few switches."""
    names = [a + '-' + b for a in WORDS[:5] for b in ('count', 'lines')]
    schema = {'type': 'object',
              'definitions': {'enabled': {'type': 'object', 'properties': {'enabled': BOOLEAN}},
                              'threshold': {'type': ['integer', 'null']}},
              'properties': {'version': STRING, 'exclude_patterns': STRINGS,
                             'checks': {'type': 'object', 'properties': {
                                 n: {'$ref': '#/definitions/enabled',
                                     'properties': {'config': {'type': 'object', 'properties': {
                                         'threshold': {'$ref': '#/definitions/threshold'}}}}} for n in names}},
                             'plugins': {'type': 'object', 'additionalProperties': {'$ref': '#/definitions/enabled'}}}}
    switch = lambda: {'enabled': chance.random() < 0.7}
    return schema, lambda: some({'version': choice('1', '2'), 'exclude_patterns': strings(),
                                 'engines': lambda: {word(): switch() for _ in range(3)},
                                 'checks': lambda: {chance.choice(names): switch() for _ in range(3)},
                                 'plugins': lambda: {word(): switch() for _ in range(4)}})


def lock():
    """helm-chart-lock: small closed rows in very many documents."""
    row = {'type': 'object', 'additionalProperties': False, 'required': ['name', 'version', 'repository'],
           'properties': {'name': STRING, 'version': STRING, 'repository': STRING}}
    schema = {'type': 'object', 'additionalProperties': False, 'required': ['generated', 'digest', 'dependencies'],
              'properties': {'generated': STRING, 'digest': STRING, 'dependencies': {'type': 'array', 'items': row}}}
    return schema, lambda: {
        'dependencies': [{'name': word(), 'repository': 'https://%s.example/charts' % word(),
                          'version': '%d.%d.0' % (chance.randrange(30), chance.randrange(30))}
                         for _ in range(chance.randint(1, 5))],
        'digest': 'sha256:%064x' % chance.getrandbits(256), 'generated': '2026-08-22T12:06:39.108558577Z'}


def project():
    """ui5: a decision tree of if, then and else, ten deep."""
    kinds = ['application', 'library', 'theme', 'module', 'task', 'middleware', 'server', 'shim', 'tool', 'other']
    metadata = {'type': 'object', 'required': ['name'], 'additionalProperties': False,
                'properties': {'name': {'type': 'string', 'pattern': '^[a-z0-9._-]+$'}, 'copyright': STRING,
                               'deprecated': BOOLEAN}}
    schema = {}
    for kind in reversed(kinds):
        schema = {'if': {'properties': {'type': {'const': kind}}},
                  'then': {'required': ['specVersion', 'type', 'metadata'], 'additionalProperties': False,
                           'properties': {'specVersion': {'enum': ['2.%d' % i for i in range(7)] + ['3.0', '3.1']},
                                          'type': {'const': kind}, 'metadata': {'$ref': '#/definitions/metadata'},
                                          'resources': {'type': 'object'}, kind: STRINGS}},
                  'else': schema or False}
    schema = {'definitions': {'metadata': metadata}, 'type': 'object', 'required': ['specVersion'], 'allOf': [schema]}

    def document():
        kind = chance.choice(kinds)
        return dict({'specVersion': chance.choice(['2.6', '3.0']), 'type': kind, 'metadata': {'name': word()}},
                    **some({kind: strings(), 'resources': dict}))
    return schema, document


def dictionary():
    """cspell: closed objects, unions of a string and objects, long lists of words."""
    definition = {'type': 'object', 'additionalProperties': False, 'required': ['name', 'path'],
                  'properties': {'name': {'$ref': '#/definitions/id'}, 'path': STRING, 'addWords': BOOLEAN,
                                 'scope': {'anyOf': [{'$ref': '#/definitions/scope'},
                                                     {'type': 'array', 'items': {'$ref': '#/definitions/scope'}}]}}}
    inline = {'type': 'object', 'additionalProperties': False, 'required': ['name', 'words'],
              'properties': {'name': {'$ref': '#/definitions/id'}, 'words': STRINGS}}
    overrides = {'type': 'object', 'additionalProperties': False, 'required': ['filename'],
                 'properties': {'filename': {'anyOf': [STRING, STRINGS]}, 'words': STRINGS, 'enabled': BOOLEAN}}
    settings = {'version': {'anyOf': [{'const': '0.2'}, {'const': '0.1'}, STRING]}, 'language': STRING, 'words': STRINGS,
                'ignorePaths': STRINGS, 'enabled': BOOLEAN, 'import': {'anyOf': [STRING, STRINGS]},
                'dictionaries': {'type': 'array', 'items': {'anyOf': [{'$ref': '#/definitions/id'}, {'$ref': '#/definitions/not'}]}},
                'dictionaryDefinitions': {'type': 'array', 'items': {'anyOf': [definition, inline]}},
                'overrides': {'type': 'array', 'items': overrides},
                'patterns': {'type': 'array', 'items': {'type': 'object', 'required': ['name', 'pattern'],
                                                        'properties': {'name': STRING, 'pattern': STRING}}}}
    settings.update({'flag%d' % i: BOOLEAN for i in range(40)})
    schema = {'type': 'object', 'additionalProperties': False, 'properties': settings,
              'definitions': {'id': {'type': 'string', 'pattern': '^(?=[^!*,;{}[\\]~\\n]+$)(?=(.*\\w)).+$'},
                              'not': {'type': 'string', 'pattern': '^(?=!+[^!*,;{}[\\]~\\n]+$)(?=(.*\\w)).+$'},
                              'scope': {'enum': ['user', 'workspace', 'folder']}}}
    return schema, lambda: dict({'version': '0.2', 'words': words(5, 120)}, **some({
        'language': choice('en', 'de', 'en-GB'), 'ignorePaths': strings(), 'enabled': choice(True, False),
        'dictionaries': strings(), 'import': choice('a.json', ['a.json', 'b.json']),
        'dictionaryDefinitions': lambda: [{'name': word(), 'path': './%s.txt' % word(), 'scope': 'user'}],
        'overrides': lambda: [{'filename': '**/*.md', 'words': words(1, 5)}],
        'patterns': lambda: [{'name': word(), 'pattern': '/%s/' % word()}], 'flag7': choice(True, False)}))


def updates():
    """dependabot: lists of closed rows with many enums."""
    match = {'type': 'object', 'properties': {'dependency_name': STRING, 'version_requirement': STRING,
                                              'dependency_type': {'type': 'string', 'enum': ['direct', 'indirect', 'all']}}}
    row = {'type': 'object', 'required': ['manager', 'directory', 'schedule'], 'properties': {
        'manager': {'type': 'string', 'enum': ['javascript', 'ruby:bundler', 'php:composer', 'python', 'go:modules',
                                               'java:maven', 'java:gradle', 'rust:cargo', 'elixir:hex', 'docker']},
        'directory': STRING, 'schedule': {'type': 'string', 'enum': ['live', 'daily', 'weekly', 'monthly']},
        'labels': {'type': 'array', 'uniqueItems': True, 'items': STRING}, 'milestone': {'type': 'integer'},
        'allowed': {'type': 'array', 'items': {'type': 'object', 'properties': {'match': match}}},
        'ignored': {'type': 'array', 'items': {'type': 'object', 'properties': {'match': match}}},
        'message': {'type': 'object', 'properties': {'prefix': STRING, 'scope': BOOLEAN}}}}
    schema = {'type': 'object', 'required': ['version', 'updates'], 'properties': {
        'version': {'type': 'integer', 'minimum': 1, 'maximum': 2}, 'updates': {'type': 'array', 'items': row}}}
    rule = lambda: {'match': {'dependency_name': word(), 'dependency_type': 'direct'}}
    managers = row['properties']['manager']['enum']
    return schema, lambda: {'version': 1, 'updates': [
        dict({'manager': chance.choice(managers), 'directory': '/' + word(), 'schedule': 'daily'}, **some({
            'labels': lambda: sorted(set(words(1, 3))), 'milestone': lambda: chance.randrange(9),
            'allowed': lambda: [rule()], 'ignored': lambda: [rule(), rule()],
            'message': lambda: {'prefix': 'fix', 'scope': True}})) for _ in range(chance.randint(1, 4))]}


def write(folder, make, count):
    schema, document = make()
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'schema-noformat.json'), 'w') as out:
        json.dump(dict({'$schema': DRAFT_07}, **schema), out)
    with open(os.path.join(folder, 'instances.jsonl'), 'w') as out:
        for _ in range(count):
            out.write(json.dumps(document()) + '\n')


for make, count in ((linter, 1000), (checks, 1000), (lock, 4000), (project, 1000), (dictionary, 1000), (updates, 1000)):
    write(os.path.join(sys.argv[1], 'like-' + make.__doc__.split(':')[0]), make, count)
